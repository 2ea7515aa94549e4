import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Coverage } from '../../../clickhouse/coverage.ts';
import { keepCoverage } from '../../../clickhouse/coverage-cache.ts';

const here = new AbortController().signal;
const ASKED = { stations: ['XAAA', 'XAAB'], from: 0, to: 1000 };

/** A clock that a test moves, and an archive whose answers it gives; the n-th answer names station n. */
function setUp() {
  const clock = { now: 0 };
  const answers: { give: () => void; fail: (error: Error) => void }[] = [];
  const keep = keepCoverage(
    () =>
      new Promise<Coverage>((resolve, reject) => {
        const status = `answer ${answers.length + 1}` as Coverage['status'];
        answers.push({ give: () => resolve({ status, stations: [] }), fail: reject });
      }),
    () => clock.now,
  );
  const ask = async (about: Partial<typeof ASKED> = {}, signal = here) =>
    (await keep({ ...ASKED, ...about }, signal)).status;
  return { clock, answers, ask };
}

describe('coverage that is kept', () => {
  it('is asked for once by equal requests, at once or within a second', async () => {
    const { clock, answers, ask } = setUp();
    const both = Promise.all([ask(), ask()]);
    answers[0]?.give();
    assert.deepEqual(await both, ['answer 1', 'answer 1']);
    clock.now = 999;
    assert.equal(await ask(), 'answer 1');
    assert.equal(answers.length, 1);
  });

  it('is never older than a second, counted from the question', async () => {
    const { clock, answers, ask } = setUp();
    const slow = ask();
    clock.now = 1000;
    const later = ask();
    for (const answer of answers) answer.give();
    assert.deepEqual(await Promise.all([slow, later]), ['answer 1', 'answer 2']);
    clock.now = 1999;
    assert.equal(await ask(), 'answer 2');
  });

  it('is that of the stations in their order, and of the range', async () => {
    const { answers, ask } = setUp();
    const others = [{}, { stations: ['XAAB', 'XAAA'] }, { stations: ['XAAA'] }, { from: 1 }, { to: 999 }];
    const asked = Promise.all(others.map((about) => ask(about)));
    for (const answer of answers) answer.give();
    assert.equal(new Set(await asked).size, others.length);
  });

  it('is no failure: who waited along asks again, one for all', async () => {
    const { answers, ask } = setUp();
    const first = ask();
    const others = [ask(), ask()];
    answers[0]?.fail(new Error('gone'));
    await assert.rejects(first, /gone/);
    answers[1]?.give();
    assert.deepEqual(await Promise.all(others), ['answer 2', 'answer 2']);
    assert.equal(answers.length, 2);
  });

  it('is not asked for again by who has gone meanwhile', async () => {
    const { answers, ask } = setUp();
    const gone = new AbortController();
    const first = ask();
    const second = ask({}, gone.signal);
    gone.abort();
    answers[0]?.fail(new Error('gone'));
    await assert.rejects(first, /gone/);
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(answers.length, 1);
  });

  it('is of bounded number: the oldest gives way', async () => {
    const { answers, ask } = setUp();
    const all = Array.from({ length: 65 }, (_, from) => ask({ from }));
    for (const answer of answers) answer.give();
    await Promise.all(all);
    assert.equal(await ask({ from: 64 }), 'answer 65');
    assert.equal(await ask({ from: 1 }), 'answer 2');
    void ask({ from: 0 });
    assert.equal(answers.length, 66);
  });
});
