import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { ResponseMemory } from '../../../../api/ops/response-memory.ts';

const NEVER = new AbortController().signal;
const MB = 1024 * 1024;

/** The memory of 12 MB, and what the gauges say of it. */
function setUp(queueTimeoutMs?: number) {
  const memory = new ResponseMemory(12 * MB, queueTimeoutMs);
  const gauges = new Map<string, () => number>();
  memory.measure(({ name, read }) => gauges.set(name, read));
  const read = (name: string) => gauges.get(`history_response_memory_${name}`)?.() ?? Number.NaN;
  return {
    open: (key: string) => memory.open({ key, length: 100 }),
    state: () => [read('bytes') / MB, read('waiting')],
  };
}

/** A body of which nothing is read, or all of it. */
const sending = (pace: number, closed: string[], name: string) => ({
  pace: () => pace,
  close: () => void closed.push(name),
});

describe('memory of responses', () => {
  it('is reserved until a response is complete', async () => {
    const { open, state } = setUp();
    const response = open('a');
    await response.reserve(4 * MB, NEVER);
    await response.reserve(MB, NEVER);
    assert.deepEqual(state(), [1, 0]);
    response.release();
    response.release();
    assert.deepEqual(state(), [0, 0]);
  });

  it('lets a response that is larger than all of it be made alone', async () => {
    const { open, state } = setUp();
    await open('a').reserve(100 * MB, NEVER);
    assert.deepEqual(state(), [12, 0]);
  });

  it('lets one client have half of it, and leaves as much for a newcomer', async () => {
    const { open, state } = setUp();
    const responses = Array.from({ length: 4 }, () => open('a'));
    const reserved = responses.map((response) => response.reserve(2 * MB, NEVER));
    await sleep(1);
    assert.deepEqual(state(), [6, 1]);
    await open('b').reserve(4 * MB, NEVER);
    assert.deepEqual(state(), [10, 1]);
    for (const response of responses.slice(0, 3)) response.release();
    await Promise.all(reserved);
    assert.deepEqual(state(), [6, 0]);
  });

  it('refuses with 503 overloaded whoever waits too long (D40), and frees nothing of others', async () => {
    const { open, state } = setUp(20);
    await open('a').reserve(12 * MB, NEVER);
    await assert.rejects(open('b').reserve(MB, NEVER), { code: 'overloaded', status: 503 });
    assert.deepEqual(state(), [12, 0]);
  });

  it('keeps nothing for a client that has disconnected, before or after its turn', async () => {
    const { open, state } = setUp();
    const first = open('a');
    await first.reserve(12 * MB, NEVER);
    const gone = new AbortController();
    const waiting = open('b').reserve(MB, gone.signal);
    gone.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    const late = open('c');
    const granted = late.reserve(MB, NEVER);
    first.release();
    late.release();
    await granted;
    assert.deepEqual(state(), [0, 0]);
  });

  it('closes the slowest readers of clients with more than their share where another client waits', async () => {
    const { open, state } = setUp();
    const closed: string[] = [];
    for (const [name, key, pace] of [
      ['a, slow', 'a', 0.2],
      ['a, slower', 'a', 0.1],
      ['a, quick', 'a', 0.9],
      ['b, slowest, with its share', 'b', 0],
    ] as const) {
      const response = open(key);
      await response.reserve(key === 'a' ? 2 * MB : 3 * MB, NEVER);
      response.send({
        ...sending(pace, closed, name),
        close() {
          closed.push(name);
          response.release();
        },
      });
    }
    assert.deepEqual(state(), [9, 0]);
    await open('c').reserve(4 * MB, NEVER);
    assert.deepEqual(closed, ['a, slower']);
    assert.deepEqual(state(), [11, 0]);
  });

  it('closes nobody who reads, and nobody for the same client', async () => {
    const { open } = setUp(600);
    const closed: string[] = [];
    const response = open('a');
    await response.reserve(12 * MB, NEVER);
    response.send(sending(0, closed, 'the only client'));
    await assert.rejects(open('a').reserve(MB, NEVER), { code: 'overloaded' });
    response.send(sending(0.6, closed, 'a client that reads'));
    await assert.rejects(open('b').reserve(MB, NEVER), { code: 'overloaded' });
    assert.deepEqual(closed, []);
  });
});
