import assert from 'node:assert/strict';
import * as zlib from 'node:zlib';
import { describe, it } from 'mocha';
import { ENCODINGS } from '../../../../../api/http/request/accepted-encoding.ts';
import { appendEnd, compressStart } from '../../../../../api/http/response/compression.ts';

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
