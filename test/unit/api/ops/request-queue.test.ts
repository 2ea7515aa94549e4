import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { formatError } from '../../../../api/ops/log.ts';
import { type PlaceKind, QueuedRequest, RequestQueue } from '../../../../api/ops/request-queue.ts';
import { Problem, QueueFullError } from '../../../../api/problem.ts';
import { useManualClock } from '../../../support/manual-clock.ts';

const MB = 1024 * 1024;
const NEVER = new AbortController().signal;
const LIMITS = { queriesAtOnce: 2, streamsAtOnce: 2, memoryBytes: 12 * MB };

/** A queue, and what its requests have done. */
function setUp(limits: Partial<typeof LIMITS> = {}) {
  const queue = new RequestQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const refused: string[] = [];
  /** The request of a key asks for a place; its name is added to `started` when it has it. */
  async function ask(
    name: string,
    key: string,
    place: PlaceKind = 'query',
    bytes = 1,
    { signal = NEVER, length = 100, since = performance.now() } = {},
  ) {
    const request = new QueuedRequest(queue, { key, length, disconnected: signal, since });
    let hasPlace = false;
    const entering = request.enter(place, bytes).then(
      () => {
        hasPlace = true;
        started.push(name);
      },
      (error) => refused.push(`${name}: ${error instanceof Problem ? error.code : error.name}`),
    );
    await turn();
    const leave = async () => {
      await entering;
      if (hasPlace) request.leave(place);
      hasPlace = false;
      await turn();
    };
    return {
      request,
      leave,
      async end() {
        await leave();
        request.end();
        await turn();
      },
    };
  }
  return { queue, started, refused, ask };
}

describe('request queue', () => {
  const wait = useManualClock();

  it('refuses without a stack, because many refusals are logged at once', () => {
    assert.equal(formatError(new QueueFullError('No place')), 'QueueFullError: No place');
  });

  it('gives one key all places while no other key waits', async () => {
    const { ask, started, queue } = setUp();
    for (const name of ['1', '2', '3']) await ask(name, 'a');
    assert.deepEqual([started, queue.queries, queue.waiting], [['1', '2'], 2, 1]);
  });

  it('gives keys turns, and those of one key in the order of arrival', async () => {
    const { ask, started } = setUp({ queriesAtOnce: 1 });
    const first = await ask('first', 'x');
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
    const others = [];
    for (const name of names) others.push({ name, ...(await ask(name, name.slice(0, 1))) });
    await first.leave();
    for (let left = names.length; left > 0; left -= 1)
      await others.find(({ name }) => name === started.at(-1))?.leave();
    assert.deepEqual(started, ['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('gives one key all places but one while another key waits', async () => {
    const { ask, started } = setUp({ queriesAtOnce: 3 });
    const heavy = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) heavy.push(await ask(name, 'a'));
    const b1 = await ask('b1', 'b');
    await ask('b2', 'b');
    await heavy[0]?.leave();
    assert.deepEqual(started, ['a1', 'a2', 'a3', 'b1'], 'a holds two of three, and b waits');
    await b1.leave();
    assert.deepEqual(started.slice(4), ['b2']);
  });

  it('gives one key one stream, in addition to its queries', async () => {
    const { ask, started } = setUp();
    const first = await ask('a', 'a', 'stream');
    await ask('second of a', 'a', 'stream');
    await ask('b', 'b', 'stream');
    await ask('query of a', 'a');
    assert.deepEqual(started, ['a', 'b', 'query of a']);
    await first.leave();
    assert.deepEqual(started.slice(3), ['second of a']);
  });

  it('gives one key eight downloads, all keys forty-eight, and says which key has too many', async () => {
    const { ask, started } = setUp();
    const first = await ask('a', 'a', 'download');
    for (let n = 1; n < 9; n += 1) await ask('a', 'a', 'download');
    for (let n = 0; n < 41; n += 1) await ask('b', `b${n % 7}`, 'download');
    assert.deepEqual([started.length, started.filter((name) => name === 'a').length], [48, 8]);
    await first.leave();
    assert.equal(started.length, 49);
    const { request } = await ask('query', 'a');
    const refusal = request.enter('download', 0).catch(({ message }) => message);
    await wait(5000);
    assert.match(await refusal, /^This key has 8 downloads under way, the most for a key/);
  });

  it('keeps the memory of a response until the response is sent', async () => {
    const { ask, started, queue } = setUp();
    const large = await ask('large', 'a', 'query', 9 * MB);
    await large.leave();
    await ask('other', 'b', 'query', 4 * MB);
    assert.deepEqual([started, queue.bytes / MB], [['large'], 9]);
    await large.end();
    await large.end();
    assert.deepEqual([started, queue.bytes / MB], [['large', 'other'], 4]);
  });

  it('changes the memory of a response without waiting, and starts others with what becomes free', async () => {
    const { ask, started, queue } = setUp();
    const { request } = await ask('large', 'a', 'query', 9 * MB);
    await request.reserve(15 * MB);
    assert.equal(queue.bytes / MB, 15);
    await ask('other', 'b', 'query', 4 * MB);
    await request.reserve(MB);
    await turn();
    assert.deepEqual([started, queue.bytes / MB], [['large', 'other'], 5]);
  });

  it('keeps a quarter of the memory for keys that hold none', async () => {
    const { ask, started } = setUp({ queriesAtOnce: 9 });
    for (let n = 1; n <= 4; n += 1) await ask(`a${n}`, 'a', 'query', 3 * MB);
    assert.deepEqual(started, ['a1', 'a2', 'a3']);
    await ask('b', 'b', 'query', 2 * MB);
    await ask('c', 'c', 'query', MB);
    assert.deepEqual(started.slice(3), ['b', 'c']);
  });

  it('lets a response that needs more than all memory be made alone', async () => {
    const { ask, started, queue } = setUp();
    await ask('huge', 'a', 'query', 100 * MB);
    assert.deepEqual([started, queue.bytes / MB], [['huge'], 12]);
  });

  it('lets small requests pass one that needs more memory than is free, but only for a second', async () => {
    const { ask, started } = setUp({ queriesAtOnce: 9 });
    const first = await ask('first', 'a', 'query', 6 * MB);
    await ask('large', 'b', 'query', 12 * MB);
    await wait(900);
    await ask('small', 'c');
    await wait(200);
    await ask('late', 'd');
    assert.deepEqual(started, ['first', 'small']);
    await first.end();
    assert.deepEqual(started, ['first', 'small'], 'the large one waits for the small one too');
  });

  it('starts a response that needs no place at once, although requests wait for queries', async () => {
    const { ask, started } = setUp({ queriesAtOnce: 1 });
    await ask('query', 'a');
    await ask('waits', 'a');
    await ask('in memory', 'a', 'none', MB);
    assert.deepEqual(started, ['query', 'in memory']);
  });

  it('refuses a request five seconds after it came, and no other', async () => {
    const { ask, started, refused } = setUp({ queriesAtOnce: 1 });
    const first = await ask('first', 'a');
    await wait(2000);
    await ask('came before', 'a', 'query', 1, { since: 0 });
    await ask('comes now', 'a');
    await wait(2999);
    assert.deepEqual(refused, []);
    await wait(1);
    assert.deepEqual(refused, ['came before: overloaded']);
    await first.leave();
    assert.deepEqual(started, ['first', 'comes now']);
  });

  it('gives a request that has had a place five more seconds for the next one', async () => {
    const { ask, refused } = setUp({ queriesAtOnce: 1 });
    const { request, leave } = await ask('first', 'a');
    await wait(4000);
    await leave();
    await ask('other', 'b');
    const second = request.enter('query', 1).catch(() => refused.push('second'));
    await wait(4999);
    assert.deepEqual(refused, []);
    await wait(1);
    await second;
    assert.deepEqual(refused, ['second']);
  });

  it('refuses the newest request of the key with the most bytes when more than 24 MB wait', async () => {
    const { ask, refused } = setUp({ queriesAtOnce: 1 });
    await ask('first', 'x');
    const ofMegabytes = (megabytes: number) => ({ length: (megabytes * MB) / 16 });
    for (const [name, megabytes] of [
      ['b1', 3],
      ['a1', 12],
      ['a2', 12],
      ['b2', 6],
    ] as const)
      await ask(name, name.slice(0, 1), 'query', 1, ofMegabytes(megabytes));
    assert.deepEqual(refused, ['a2: overloaded']);
  });

  it('refuses no request because of the number that wait', async () => {
    const { ask, refused, queue } = setUp();
    for (let n = 0; n < 500; n += 1) await ask(`${n}`, 'a');
    assert.deepEqual([refused, queue.waiting], [[], 498]);
  });

  it('forgets a request whose client disconnects while it waits, and starts the one behind it', async () => {
    const { ask, started, refused, queue } = setUp();
    await ask('first', 'a', 'query', 6 * MB);
    const gone = new AbortController();
    await ask('large', 'b', 'query', 12 * MB, { signal: gone.signal });
    await wait(1100);
    await ask('small', 'c');
    gone.abort();
    await turn();
    assert.deepEqual([started, refused, queue.waiting], [['first', 'small'], ['large: AbortError'], 0]);
  });

  it('keeps no memory of a request that has ended while it waited', async () => {
    const { ask, queue } = setUp();
    const first = await ask('first', 'a', 'query', 12 * MB);
    const { request } = await ask('late', 'b', 'query', MB);
    request.end();
    await first.end();
    assert.equal(queue.bytes, 0);
    await request.reserve(MB);
    assert.equal(queue.bytes, 0);
  });

  it('is idle only where a second place and memory are free and nothing waits', async () => {
    const { ask, queue } = setUp({ queriesAtOnce: 3 });
    assert.equal(queue.isIdle(10 * MB), false);
    await ask('query', 'a');
    assert.equal(queue.isIdle(MB), true);
    await ask('ahead', 'a');
    assert.equal(queue.isIdle(MB), false);
  });
});
