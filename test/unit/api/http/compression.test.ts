import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import { CompressedBodies } from '../../../../api/answers/compressed-bodies.ts';
import { openResponseCache } from '../../../../api/answers/memory.ts';
import { appendEnd, compressStart, ENCODINGS } from '../../../../api/http/compression.ts';
import { QueuedRequest } from '../../../../api/ops/queued-request.ts';
import { RequestQueue } from '../../../../api/ops/request-queue.ts';

const { zstdDecompressSync = () => Buffer.alloc(0) } = zlib as {
  readonly zstdDecompressSync?: (bytes: Buffer) => Buffer;
};
const DECOMPRESS = {
  zstd: zstdDecompressSync,
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
} as const;

describe('a compressed body with an end of its own', () => {
  const parts = [0, 1, 0, 3000, 0].map((reports) =>
    Buffer.from(Array.from({ length: reports }, (_, n) => `METAR XAAA 01${n}00Z ${n * 37}`).join()),
  );

  for (const encoding of ENCODINGS)
    it(`is one whole body in ${encoding}, whatever the length of its end`, async () => {
      const start = await compressStart(parts, encoding);
      for (const length of [1, 2, 100, 65_535]) {
        const end = Buffer.alloc(length, 'e');
        const body = Buffer.concat(appendEnd(start, end));
        assert.ok(DECOMPRESS[encoding](body).equals(Buffer.concat([...parts, end])), `${length}`);
      }
      assert.ok(start.bytes.length < start.length / 2);
      // Its cache entry keeps no more memory alive than it counts.
      assert.equal(start.bytes.buffer.byteLength, start.bytes.length);
    });
});

const MB = 1024 * 1024;
const NEVER = new AbortController().signal;

describe('large bodies that wait for a compressor', () => {
  const bodies = new CompressedBodies(openResponseCache(0));
  const part = Buffer.alloc(2 * MB, 'METAR XAAA 010000Z ');
  const envelope = (etag: string) => ({
    mediaType: 'application/json',
    etag,
    start: [part],
    end: Buffer.alloc(0),
  });
  let queue: RequestQueue;
  beforeEach(() => {
    queue = new RequestQueue({ queriesAtOnce: 20, streamsAtOnce: 1, memoryBytes: 1024 * MB });
  });

  it('are compressed however long their requests have waited before: what the engine has read is not thrown away', async () => {
    const client = async (key: string) => {
      const request = new QueuedRequest(queue, key, 100, NEVER, performance.now() - 4900);
      await request.enter('query', part.length);
      request.leave('query');
      return request;
    };
    const starts = await Promise.all(
      Array.from({ length: 12 }, async (_, n) =>
        bodies.startOf(envelope(`${n}`), 'gzip', await client(`${n}`)),
      ),
    );
    assert.deepEqual(new Set(starts.map(({ length }) => length)), new Set([part.length]));
  });

  it('are compressed once for all requests, also after the first of them has failed', async () => {
    const cached = new CompressedBodies(openResponseCache(16 * MB));
    const gone = new AbortController();
    const start = (key: string, signal = NEVER) =>
      cached.startOf(envelope('shared'), 'gzip', new QueuedRequest(queue, key, 100, signal));
    const other = new QueuedRequest(queue, 'other', 100, NEVER);
    for (let n = 0; n < 4; n += 1) other.enter('compressor', 0).catch(() => {});
    const failed = assert.rejects(start('first', gone.signal), { name: 'AbortError' });
    const second = start('second');
    await turn();
    gone.abort();
    await failed;
    const third = start('third');
    await turn();
    for (let n = 0; n < 4; n += 1) other.leave('compressor');
    assert.equal(await second, await third);
  });

  it('are refused with 503 overloaded if none is free within five seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const other = new QueuedRequest(queue, 'other', 100, NEVER);
    for (let n = 0; n < 4; n += 1) other.enter('compressor', 0).catch(() => {});
    const start = bodies.startOf(envelope('late'), 'gzip', new QueuedRequest(queue, 'late', 100, NEVER));
    const refusal = assert.rejects(start, { code: 'overloaded', status: 503 });
    await turn();
    mock.timers.tick(5000);
    mock.timers.reset();
    await refusal;
  });
});
