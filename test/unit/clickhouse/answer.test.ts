import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClickHouseError } from '@clickhouse/client';
import { passWhole, requireWhole } from '../../../clickhouse/answer.ts';
import type { Archive } from '../../../clickhouse/archive.ts';
import { openArchive } from '../../../clickhouse/client.ts';
import { isAnswerOfServer, storageFailure } from '../../../clickhouse/errors.ts';
import { listenOnFreePort } from '../../support/listen.ts';

const TAG = 'abcdefghijklmnop';
const MESSAGE = 'Code: 395. DB::Exception: boom. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) (version 26.7)';
const MARKER = `\r\n__exception__\r\n${TAG}\r\n`;
const END = '\r\n__end__\r\n';

const headersOf = (format: string, rows = 0) => ({
  'x-clickhouse-exception-tag': TAG,
  'x-clickhouse-format': format,
  'x-clickhouse-summary': `{"read_rows":"9","result_rows":"${rows}"}`,
});

/** What passes of a response in chunks of this size, and the error at its end. */
async function read(text: string, size: number, format = 'Null', rows?: number) {
  const chunks = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  let passed = '';
  const error = await pipeline(
    Readable.from(chunks.map((chunk) => Buffer.from(chunk, 'latin1'))),
    passWhole(headersOf(format, rows), rows !== undefined),
    async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) passed += chunk.toString('latin1');
    },
  ).catch((caught) => caught);
  return { passed, error };
}

describe('an answer that is passed on', () => {
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
      for (const size of sizes) {
        assert.deepEqual(await read(text, size), { passed: text, error: undefined });
        const marked = await read(text + END, size, 'CustomSeparated');
        assert.deepEqual(marked, { passed: text, error: undefined });
      }
  });

  it('fails at an exception and passes nothing of it, however it is split', async () => {
    for (const format of ['Null', 'CustomSeparated'])
      for (const before of ['', 'line\r\n', '\r\n__exc'])
        for (const size of sizes) {
          const { passed, error } = await read(`${before}${MARKER}${MESSAGE}\r\n`, size, format);
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

describe('an answer that lacks its end', () => {
  const arrowEnd = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]).toString('latin1');
  const answers = [
    ['TSVRaw', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n', 2],
    ['JSONEachRow', '{"a":1}\n', '{"a":1}\n', 1],
    ['JSONCompactEachRow', '', '', 0],
    ['CustomSeparated', `{"a":1}\n{"a":2}\n${END}`, '{"a":1}\n{"a":2}\n', 2],
    ['CustomSeparatedWithNames', `"a"\r\n1\r\n${END}`, '"a"\r\n1\r\n', 1],
    ['Parquet', 'PAR1bytesPAR1', 'PAR1bytesPAR1', 1],
    ['ArrowStream', `bytes${arrowEnd}`, `bytes${arrowEnd}`, 1],
  ] as const;
  const bytesOf = (text: string) => Buffer.from(text, 'latin1');

  it('is refused wherever it ends, and a complete one is not, of each format that is read', async () => {
    for (const [format, text, data, rows] of answers) {
      assert.equal(requireWhole(headersOf(format, rows), bytesOf(text)).toString('latin1'), data, format);
      assert.deepEqual(await read(text, 3, format, rows), { passed: data, error: undefined }, format);
      for (let length = 0; length < text.length; length += 1) {
        const cut = text.slice(0, length);
        assert.throws(
          () => requireWhole(headersOf(format, rows), bytesOf(cut)),
          (error) => storageFailure(error) === 'unavailable',
          `${format} ${length}`,
        );
        const { error } = await read(cut, 3, format, rows);
        assert.equal(storageFailure(error), 'unavailable', `${format} ${length}`);
      }
    }
  });

  it('is refused in the middle of a statement too, in the formats that streams print', async () => {
    for (const [format, text] of answers.filter(([name]) => !/^(TSV|JSON)/.test(name)))
      for (let length = 0; length < text.length; length += 1) {
        const { error } = await read(text.slice(0, length), 3, format);
        assert.equal(storageFailure(error), 'unavailable', `${format} ${length}`);
      }
  });
});

const PAGE = '<html><style>p{}</style><head><title>502 Bad Gateway</title></head><body>\n</body></html>';

/** What proxies and other programs answer in place of ClickHouse. */
const FOREIGN: Readonly<Record<string, RequestListener>> = {
  '502 with a page': (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end(PAGE),
  '503 without a body': (_, response) => response.writeHead(503).end(),
  '504 with JSON': (_, response) => response.writeHead(504).end('{"message":"upstream"}'),
  '403 with a page': (_, response) => response.writeHead(403).end(PAGE),
  '404 of another program': (_, response) => response.writeHead(404).end('Not Found'),
  '429 of a proxy': (_, response) => response.writeHead(429, { 'retry-after': '3' }).end(),
  '301 to another address': (_, response) =>
    response.writeHead(301, { location: 'https://example.org/' }).end(),
  '200 with a page': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE),
  '200 without a body': (_, response) => response.writeHead(200).end(),
  '204': (_, response) => response.writeHead(204).end(),
  'a page without end': (_, response) => {
    response.writeHead(502);
    const timer = setInterval(() => response.write('<p>'.repeat(10_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
  'a page that breaks off': (_, response) => {
    response.writeHead(502, { 'content-length': 1000 });
    response.write('<p>', () => response.destroy());
  },
};

const KINDS: Readonly<Record<string, (archive: Archive) => Promise<unknown>>> = {
  select: (archive) => archive.select({ query: 'SELECT 1 FORMAT TSVRaw' }),
  'select of a file': (archive) =>
    archive.select({
      query: 'SELECT 1 FORMAT TSVRaw',
      file: { name: 'file', format: 'CSV', structure: 'a String', bytes: Buffer.from('a') },
    }),
  stream: (archive) => archive.stream({ query: 'SELECT 1 FORMAT TSVRaw' }),
  insert: (archive) => archive.insert({ table: 'stations', rows: [{ station: 'XAAA' }] }),
  'insert of a stream': (archive) =>
    archive.insert({ table: 'stations', rows: Readable.from([Buffer.of(0, 0)]) }),
  insertFile: (archive) => archive.insertFile({ query: 'INSERT INTO a FORMAT CSV' }, Buffer.from('a')),
  command: (archive) => archive.command({ query: 'CREATE TABLE a' }),
  ping: (archive) => archive.ping(),
};

describe('an answer that is not of ClickHouse', () => {
  for (const [name, answer] of Object.entries(FOREIGN))
    it(`makes the archive unavailable, whatever was asked: ${name}`, async () => {
      const server = createServer((request, response) => {
        request.resume();
        request.once('end', () => answer(request, response));
      });
      const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
      const archive = openArchive({ url, username: 'default', password: '', database: 'history' });
      try {
        for (const [kind, ask] of Object.entries(KINDS))
          await assert.rejects(ask(archive), (error: Error) => {
            assert.equal(storageFailure(error), 'unavailable', `${kind}: ${error}`);
            assert.equal(isAnswerOfServer(error), false, kind);
            assert.match(
              error.message,
              /^http:\/\/127\S+ has answered with status \d{3} \(.+CLICKHOUSE_URL$/,
            );
            assert.ok(error.message.length < 300, error.message);
            return true;
          });
      } finally {
        await archive.close();
        server.closeAllConnections();
        server.close();
      }
    });
});

describe('an error of ClickHouse', () => {
  it('keeps its code, even where its message has no type or has lost its end', async () => {
    const texts = ['std::exception. Code: 1001, type: x, e.what() = y', 'Code: 60. DB::Exc', ''];
    const left = [...texts];
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(500, { 'x-clickhouse-exception-code': '60' }).end(left.shift());
    });
    const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
    const archive = openArchive({ url, username: 'default', password: '', database: 'history' });
    try {
      for (const text of texts)
        await assert.rejects(archive.ping(), (error) => {
          assert.ok(error instanceof ClickHouseError);
          assert.equal(error.code, '60');
          assert.ok(error.message.includes(text || 'error 60'));
          return true;
        });
    } finally {
      await archive.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
