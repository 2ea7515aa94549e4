import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClickHouseError } from '@clickhouse/client';
import { failOnException } from '../../../clickhouse/one-server.ts';

const TAG = 'abcdefghijklmnop';
const MESSAGE = 'Code: 395. DB::Exception: boom. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 26.7)';
const MARKER = `\r\n__exception__\r\n${TAG}\r\n`;

/** What passes of a response in chunks of this size, and the error at its end. */
async function read(text: string, size: number) {
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  let passed = '';
  const error = await pipeline(
    Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
    failOnException(TAG),
    async (bytes) => {
      for await (const chunk of bytes) passed += chunk;
    },
  ).catch((caught) => caught);
  return { passed, error };
}

describe('failOnException', () => {
  const sizes = [1, 2, 3, 7, 34, 35, 36, 1000];

  it('passes all bytes of a response without an exception, however they are split', async () => {
    const texts = [
      '',
      'a',
      'line\r\nline\r\n',
      `\r\n__exception__\r\n${TAG.slice(1)}\r\n`,
      '\r\n\r\n\r',
      'x'.repeat(500),
    ];
    for (const text of texts)
      for (const size of sizes) assert.deepEqual(await read(text, size), { passed: text, error: undefined });
  });

  it('fails at an exception and passes nothing of it, however it is split', async () => {
    for (const before of ['', 'line\r\n', '\r\n__exc'])
      for (const size of sizes) {
        const { passed, error } = await read(`${before}${MARKER}${MESSAGE}\r\n`, size);
        assert.ok(before.startsWith(passed), passed);
        assert.ok(error instanceof ClickHouseError || error instanceof Error);
      }
  });

  it('fails with the code of the exception', async () => {
    const { error } = await read(`line\r\n${MARKER}${MESSAGE}`, 1000);
    assert.ok(error instanceof ClickHouseError);
    assert.equal(error.code, '395');
  });
});
