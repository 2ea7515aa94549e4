import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChangedStations } from '../../../../clickhouse/coverage/changes.ts';
import type { CoverageState } from '../../../../clickhouse/coverage/state.ts';
import { cacheCoverageState } from '../../../../clickhouse/coverage/state-cache.ts';

const here = new AbortController().signal;

type Question = { readonly stations: readonly string[]; give(): void; fail(error: Error): void };

/**
 * A clock that a test moves, an archive whose answers it gives, and what loaders have told of. What is known of a
 * station names the question that it comes from, by its place in `questions`.
 */
function setUp() {
  const clock = { now: 0 };
  const questions: Question[] = [];
  const told: { of: ChangedStations; look: () => Promise<void>; looks: number } = {
    of: new Set<string>(),
    look: async () => {},
    looks: 0,
  };
  const keep = cacheCoverageState(
    (stations) =>
      new Promise((resolve, reject) => {
        const year = questions.length;
        const held = [
          { source: 'iem', year, first: 1, last: 1, days: [], firstReport: null, lastReport: null },
        ] as const;
        const known: CoverageState = { held, listings: [] };
        questions.push({
          stations,
          give: () => resolve(new Map(stations.map((station) => [station, known]))),
          fail: reject,
        });
      }),
    async () => {
      told.looks += 1;
      const { of } = told;
      told.of = new Set();
      await told.look();
      return of;
    },
    () => clock.now,
  );
  const ask = async (stations: readonly string[], signal = here) =>
    [...(await keep(stations, signal))].map(([station, { held }]) => `${station} ${held[0]?.year}`);
  /** Asks, gives every answer, and says what is known. */
  const answered = async (...stations: string[]) => {
    const asking = ask(stations);
    await settled();
    for (const { give } of questions) give();
    return asking;
  };
  return { clock, questions, told, ask, answered };
}

/** What can go on without the test has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('what is known of stations', () => {
  it('is read once and kept, whoever asks with whom', async () => {
    const { questions, answered } = setUp();
    assert.deepEqual(await answered('XAAA', 'XAAB'), ['XAAA 0', 'XAAB 0']);
    assert.deepEqual(await answered('XAAB', 'XAAC', 'XAAA'), ['XAAB 0', 'XAAC 1', 'XAAA 0']);
    assert.deepEqual(questions[1]?.stations, ['XAAC']);
  });

  it('is kept for as long as nothing is told of the station, which is looked at every second', async () => {
    const { clock, told, answered } = setUp();
    await answered('XAAA', 'XAAB');
    clock.now = 499;
    told.of = new Set(['XAAA']);
    assert.deepEqual(await answered('XAAA', 'XAAB'), ['XAAA 0', 'XAAB 0']);
    assert.equal(told.looks, 1);
    clock.now = 1000;
    assert.deepEqual(await answered('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 0']);
    clock.now = 61_000;
    assert.deepEqual(await answered('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 0']);
    assert.equal(told.looks, 3);
  });

  it('is looked at again ahead of time, which nobody waits for, and whose failure is nobody’s', async () => {
    const { clock, told, answered } = setUp();
    await answered('XAAA');
    let end = () => {};
    told.look = () => new Promise<void>((resolve) => (end = resolve));
    told.of = new Set(['XAAA']);
    clock.now = 500;
    assert.deepEqual(await answered('XAAA'), ['XAAA 0']);
    clock.now = 999;
    assert.deepEqual(await answered('XAAA'), ['XAAA 0']);
    end();
    await settled();
    assert.deepEqual(await answered('XAAA'), ['XAAA 1']);
    assert.equal(told.looks, 2);
    told.look = () => Promise.reject(new Error('gone'));
    clock.now = 1000;
    assert.deepEqual(await answered('XAAA'), ['XAAA 1']);
    told.look = async () => {};
    clock.now = 1500;
    assert.deepEqual(await answered('XAAA'), ['XAAA 1']);
    assert.equal(told.looks, 4);
  });

  it('is all read again after a minute without a look, in which another archive may have taken its place', async () => {
    const { clock, answered } = setUp();
    await answered('XAAA');
    clock.now = 60_001;
    assert.deepEqual(await answered('XAAA'), ['XAAA 1']);
  });

  it('is all read again when it cannot be said what was told', async () => {
    const { clock, told, answered } = setUp();
    await answered('XAAA', 'XAAB');
    clock.now = 1000;
    told.of = 'all';
    assert.deepEqual(await answered('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 1']);
  });

  it('is not kept when something was told of the station while it was being read', async () => {
    const { clock, told, questions, ask, answered } = setUp();
    const early = ask(['XAAA', 'XAAB']);
    await settled();
    clock.now = 1000;
    told.of = new Set(['XAAA']);
    const late = ask(['XAAA', 'XAAB']);
    await settled();
    assert.deepEqual(
      questions.map(({ stations }) => stations),
      [['XAAA', 'XAAB'], ['XAAA']],
    );
    for (const { give } of questions) give();
    assert.deepEqual(await early, ['XAAA 0', 'XAAB 0']);
    assert.deepEqual(await late, ['XAAA 1', 'XAAB 0']);
    assert.deepEqual(await answered('XAAA', 'XAAB'), ['XAAA 1', 'XAAB 0']);
  });

  it('is as old as the look, counted from its beginning, and a look that takes long is not repeated', async () => {
    const { clock, told, answered } = setUp();
    told.look = async () => {
      clock.now += 5000;
    };
    await answered('XAAA');
    assert.equal(told.looks, 1);
    await answered('XAAA');
    assert.equal(told.looks, 2);
  });

  it('is read, and looked at, once for equal questions at once', async () => {
    const { told, questions, ask } = setUp();
    const all = Promise.all([ask(['XAAA']), ask(['XAAA', 'XAAB']), ask(['XAAB'])]);
    await settled();
    for (const { give } of questions) give();
    assert.deepEqual(await all, [['XAAA 0'], ['XAAA 0', 'XAAB 1'], ['XAAB 1']]);
    assert.deepEqual([told.looks, questions.length], [1, 2]);
  });

  it('is no failure: who waited along asks again, one for all', async () => {
    const { questions, ask } = setUp();
    const first = ask(['XAAA']);
    const others = [ask(['XAAA']), ask(['XAAA'])];
    await settled();
    questions[0]?.fail(new Error('gone'));
    await assert.rejects(first, /gone/);
    await settled();
    questions[1]?.give();
    assert.deepEqual(await Promise.all(others), [['XAAA 1'], ['XAAA 1']]);
    assert.equal(questions.length, 2);
  });

  it('is looked at again by the others when a look fails', async () => {
    const { told, ask, answered } = setUp();
    told.look = async () => {
      told.look = async () => {};
      throw new Error('gone');
    };
    const first = ask(['XAAA']);
    const second = answered('XAAA');
    await assert.rejects(first, /gone/);
    assert.deepEqual(await second, ['XAAA 0']);
    assert.equal(told.looks, 2);
  });

  it('is not asked for again by who has gone meanwhile', async () => {
    const { questions, ask } = setUp();
    const gone = new AbortController();
    const first = ask(['XAAA']);
    const second = ask(['XAAA'], gone.signal);
    await settled();
    gone.abort();
    questions[0]?.fail(new Error('gone'));
    await assert.rejects(first, /gone/);
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(questions.length, 1);
  });

  it('is not waited for by who has gone, whoever else is still reading it', async () => {
    const { questions, told, ask } = setUp();
    const gone = new AbortController();
    const first = ask(['XAAA']);
    const second = ask(['XAAA'], gone.signal);
    await settled();
    gone.abort();
    await assert.rejects(second, { name: 'AbortError' });
    questions[0]?.give();
    assert.deepEqual(await first, ['XAAA 0']);
    assert.equal(told.looks, 1);
  });

  it('is of bounded number: what was kept for longest gives way', async () => {
    const { questions, answered } = setUp();
    const many = Array.from({ length: 5000 }, (_, n) => `X${n}`);
    await answered(...many);
    await answered('XAAA', 'XAAB');
    assert.deepEqual(await answered('X2', 'X0'), ['X2 0', 'X0 2']);
    assert.deepEqual(questions.at(-1)?.stations, ['X0']);
  });
});
