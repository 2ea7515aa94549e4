import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { barText } from '../../../../loader/progress/bar-text.ts';
import type { Tally } from '../../../../loader/progress/progress.ts';

const TALLY: Tally = {
  slices: 200,
  slicesDone: 49,
  slicesFailed: 1,
  slicesEmpty: 3,
  reports: 45_000,
  inserted: 44_000,
  requests: 70,
  bytes: 5_400_000,
  skipped: { 'NIL without time': 12, 'outside the window': 3 },
};
const line = (columns: number, about: Partial<Tally> = {}, elapsedSeconds = 90) =>
  barText({ name: 'iem: ', tally: { ...TALLY, ...about }, elapsedSeconds }, columns);

describe('the line of a bar', () => {
  it('tells at 80 columns how far the run is, how long it takes and how fast it is', () =>
    assert.equal(line(80), 'iem: ██░░░░░░░ 50/200 slices · 5 min left · 1 failed · 500 reports/s · 5.4 MB'));

  it('tells more where there is room, down to why rows were skipped', () =>
    assert.equal(
      line(180),
      'iem: ██████░░░░░░░░░░░░░░░░░░░ 50/200 slices · 5 min left · 1 failed · 500 reports/s · 5.4 MB · 15 skipped · ' +
        '44000 new · 70 requests · 12 NIL without time · 3 outside the window',
    ));

  it('is full, and no longer, when more came in than was known of', () =>
    assert.match(line(80, { slicesDone: 300 }), /^iem: █+ 301\/200 slices · /));

  it('leaves room for ^C and the cursor at any width', () => {
    for (let columns = 20; columns <= 200; columns += 1) assert.ok(line(columns).length <= columns - 3);
  });

  it('gives the time left in the unit that a person would', () => {
    const left = (elapsed: number, slicesDone = 49) =>
      / · (\S+ ?\S* left|done)/.exec(line(80, { slicesDone }, elapsed))?.[1];
    assert.deepEqual(
      [left(10), left(1_000), left(10_000), left(1_000_000), left(10, 199)],
      ['30 s left', '50 min left', '9 h left', '35 days left', 'done'],
    );
    assert.match(line(80, { slicesDone: 0, slicesFailed: 0 }), /\? left/);
  });
});
