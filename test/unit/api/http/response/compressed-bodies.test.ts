import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CompressedBodies } from '../../../../../api/http/response/compressed-bodies.ts';
import { QueuedRequest, RequestQueue } from '../../../../../api/ops/request-queue.ts';

const MB = 1024 * 1024;

describe('large bodies that wait for a compressor', () => {
  it('are compressed however long their requests have waited before: what the engine has read is not thrown away', async () => {
    const bodies = new CompressedBodies({ compressed: () => undefined, addCompressed: () => {} });
    const part = Buffer.alloc(2 * MB, 'METAR XAAA 010000Z ');
    const queue = new RequestQueue({ queriesAtOnce: 20, streamsAtOnce: 1, memoryBytes: 1024 * MB });
    const client = async (key: string) => {
      const arrived = performance.now() - 4900;
      const request = new QueuedRequest(queue, key, 100, new AbortController().signal, arrived);
      (await request.enter('query', part.length))();
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
