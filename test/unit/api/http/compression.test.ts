import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { compressPage, ENCODINGS } from '../../../../api/http/compression.ts';
import { QueuedRequest, RequestQueue } from '../../../../api/ops/request-queue.ts';
import { useManualClock } from '../../../support/manual-clock.ts';

const { zstdDecompressSync = () => Buffer.alloc(0) } = zlib as {
  readonly zstdDecompressSync?: (bytes: Buffer) => Buffer;
};
const DECOMPRESS = {
  zstd: zstdDecompressSync,
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
} as const;

const MB = 1024 * 1024;
const NEVER = new AbortController().signal;

const queuedIn = (queue: RequestQueue, key: string, since?: number) =>
  new QueuedRequest(queue, { key, length: 100, disconnected: NEVER, since });

const part = Buffer.alloc(2 * MB, 'METAR XAAA 010000Z ');
const newQueue = () => new RequestQueue({ queriesAtOnce: 20, streamsAtOnce: 1, memoryBytes: 1024 * MB });

describe('large bodies that wait for a compressor', () => {
  it('are compressed however long their requests have waited before: what the engine has read is not thrown away', async () => {
    const queue = newQueue();
    const client = async (key: string) => {
      const request = queuedIn(queue, key, performance.now() - 4900);
      await request.enter('query', part.length);
      request.leave('query');
      return request;
    };
    const bodies = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => compressPage([part], 'gzip', await client(`${n}`))),
    );
    for (const body of bodies) assert.ok(zlib.gunzipSync(body).equals(part));
  });
});

describe('large bodies that no compressor takes', () => {
  const wait = useManualClock();

  it('are refused with 503 overloaded after five seconds', async () => {
    const queue = newQueue();
    const other = queuedIn(queue, 'other');
    for (let n = 0; n < 4; n += 1) other.enter('compressor', 0).catch(() => {});
    const late = compressPage([part], 'gzip', queuedIn(queue, 'late'));
    const refusal = assert.rejects(late, { code: 'overloaded', status: 503 });
    await turn();
    await wait(5000);
    await refusal;
  });
});

describe('a compressed page', () => {
  const parts = [0, 1, 0, 3000, 0].map((reports) =>
    Buffer.from(Array.from({ length: reports }, (_, n) => `METAR XAAA 01${n}00Z ${n * 37}`).join()),
  );

  for (const encoding of ENCODINGS)
    it(`is one whole body in ${encoding}`, async () => {
      const queue = new RequestQueue({ queriesAtOnce: 1, streamsAtOnce: 1, memoryBytes: 16 * MB });
      const body = await compressPage(parts, encoding, queuedIn(queue, 'key'));
      const text = Buffer.concat(parts);
      assert.ok(DECOMPRESS[encoding](body).equals(text));
      assert.ok(body.length < text.length / 2);
    });
});
