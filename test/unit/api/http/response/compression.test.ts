import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import { describe, it } from 'mocha';
import { ENCODINGS } from '../../../../../api/http/http-request.ts';
import { appendEnd, CompressedBodies, compressStart } from '../../../../../api/http/response/compression.ts';
import { QueuedRequest, RequestQueue } from '../../../../../api/ops/request-queue.ts';

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

describe('large bodies that wait for a compressor', () => {
  it('are compressed however long their requests have waited before: what the engine has read is not thrown away', async () => {
    const bodies = new CompressedBodies({ compressed: () => undefined, addCompressed: () => {} });
    const part = Buffer.alloc(2 * MB, 'METAR XAAA 010000Z ');
    const queue = new RequestQueue({ queriesAtOnce: 20, streamsAtOnce: 1, memoryBytes: 1024 * MB });
    const client = async (key: string) => {
      const arrived = performance.now() - 4900;
      const request = new QueuedRequest(queue, key, 100, new AbortController().signal, arrived);
      await request.enter('query', part.length);
      request.leave('query');
      return request;
    };
    const starts = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const envelope = {
          mediaType: 'application/json',
          etag: `${n}`,
          start: [part],
          end: Buffer.alloc(0),
        };
        return bodies.startOf(envelope, 'gzip', await client(`${n}`));
      }),
    );
    assert.deepEqual(
      starts.map(({ length }) => length),
      starts.map(() => part.length),
    );
  });
});
