import assert from 'node:assert/strict';
import type { Values } from '../../../../../../api/explorer/assets/model/reports.ts';
import { bestRunways, type Runway } from '../../../../../../api/explorer/assets/model/requests.ts';
import {
  bestDirection,
  crosswinds,
  directionsOf,
} from '../../../../../../api/explorer/assets/model/runways.ts';

const runways = (text: string): Runway[] =>
  text.split(' ').map((each) => {
    const [ident = '', heading, length] = each.split(',');
    return { ident, heading_deg: Number(heading), length_m: Number(length) };
  });
const winds = (...all: readonly (readonly [direction: number | undefined, wind: number])[]) =>
  all.map(([direction, wind], time) => ({ time, direction, wind })) as unknown as Values[];

describe('the runways of a station on the page', () => {
  it('are one direction for both ends and for parallel ones, the longest first', () => {
    for (const [text, names] of [
      [
        '04L,31,3682 04R,30.6,2560 13R,121,4423 22L,210.6,2560 22R,211,3682 31L,301,4423',
        ['13/31 121', '04/22 31'],
      ],
      ['18,179,900 36,359,900', ['18/36 179']],
      ['18,179,900 01,1,1200 H1,20,30 NE,45,300', ['01/19 1']],
    ] as const)
      assert.deepEqual(
        directionsOf(runways(text)).map(({ name, heading }) => `${name} ${heading}`),
        names,
      );
    assert.deepEqual(directionsOf(), []);
  });

  it('have the wind across, 0 in a calm and unknown of a variable wind, and the least of it on the best one', () => {
    const points = winds([121, 20], [211, 30], [301, 8], [undefined, 3], [undefined, 0]);
    const across = crosswinds(121, points).map(({ wind }) => wind && Math.round(wind * 10) / 10);
    assert.deepEqual(across, [0, 30, 0, undefined, 0]);
    const directions = directionsOf(runways('13,121,4423 04,31,3682'));
    assert.equal(bestDirection(directions, points)?.key, '04');
    assert.equal(bestDirection(directions, [])?.key, '13');
  });

  it('are asked for the hours in which one of them has at most so much wind across (D82)', () => {
    const period = { station: 'XAAA', from: '2024-01-01', to: '2024-02-01' };
    const { select } =
      bestRunways({ ...period, runways: runways('13,121,4423 04,31,3682') })?.parameters ?? {};
    assert.deepEqual(
      String(select).split(','),
      [10, 15, 20].map(
        (kt) => `within_${kt}:share(wspd_kt <= ${kt} OR crosswind(121) <= ${kt} OR crosswind(31) <= ${kt})`,
      ),
    );
    assert.equal(bestRunways(period), undefined);
  });
});
