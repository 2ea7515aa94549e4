import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { barText } from '../../../../loader/progress/bar-text.ts';
import { type Tally, tallyDetails } from '../../../../loader/progress/load-progress.ts';

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
const textOf = (columns: number, about: Partial<Tally> = {}, elapsedSeconds = 90) => {
  const tally = { ...TALLY, ...about };
  const finished = tally.slicesDone + tally.slicesFailed;
  const details = tallyDetails(tally, elapsedSeconds, 'EGLL 2019-01-01');
  const state = { unit: 'slices', total: tally.slices, finished, elapsedSeconds, details, fields: tally };
  return barText({ name: 'iem: ', ...state }, columns);
};

describe('progress bar text', () => {
  it('has progress, time left, speed and what is being done at 89 columns', () =>
    assert.equal(
      textOf(89),
      'iem: ██░░░░░░░ 50/200 slices · 5 min left · 1 failed · 500 reports/s · EGLL 2019-01-01',
    ));

  it('has more details at more columns, the reasons of skipped rows last', () =>
    assert.equal(
      textOf(198),
      'iem: ██████░░░░░░░░░░░░░░░░░░░ 50/200 slices · 5 min left · 1 failed · 500 reports/s · EGLL 2019-01-01 · 5.4 MB · 15 skipped · ' +
        '44000 new · 70 requests · 12 NIL without time · 3 outside the window',
    ));

  it('has a full bar when more slices are finished than were planned', () =>
    assert.match(textOf(80, { slicesDone: 300 }), /^iem: █+ 301\/200 slices · /));

  it('leaves three columns empty at any width', () => {
    for (let columns = 20; columns <= 200; columns += 1) assert.ok(textOf(columns).length <= columns - 3);
  });

  it('gives the time left in seconds, minutes, hours or days', () => {
    const left = (elapsed: number, slicesDone = 49) =>
      / · ([\w ]+ left|done)/.exec(textOf(80, { slicesDone }, elapsed))?.[1];
    assert.deepEqual(
      [left(10), left(1_000), left(10_000), left(1_000_000), left(10, 199)],
      ['30 s left', '50 min left', '8 h 20 min left', '35 days left', 'done'],
    );
    assert.match(textOf(80, { slicesDone: 0, slicesFailed: 0 }), /\? left/);
  });
});
