import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CompressedBodies } from '../../../../../api/http/response/compressed-bodies.ts';
import { ResponseMemory } from '../../../../../api/ops/response-memory.ts';

const MB = 1024 * 1024;

describe('large bodies that wait for a compressor', () => {
  it('are compressed however long their requests have waited before: what the engine has read is not thrown away', async () => {
    const bodies = new CompressedBodies({ compressed: () => undefined, addCompressed: () => {} });
    const memory = new ResponseMemory(1024 * MB);
    const client = (n: number) => {
      const waiter = { key: `${n}`, length: 100 };
      const reservation = Object.assign(memory.open(waiter), { since: performance.now() - 6000 });
      return { ...waiter, disconnected: new AbortController().signal, memory: reservation };
    };
    const part = Buffer.alloc(2 * MB, 'METAR XAAA 010000Z ');
    const starts = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const envelope = {
          mediaType: 'application/json',
          etag: `${n}`,
          start: () => [part],
          end: Buffer.alloc(0),
        };
        return bodies.startOf(envelope, 'gzip', client(n));
      }),
    );
    assert.deepEqual(
      starts.map(({ length }) => length),
      starts.map(() => part.length),
    );
  });
});
