import assert from 'node:assert/strict';
import { firstUniform, hasSameParts } from '../../../../../clickhouse/observations/stream/stream-parts.ts';
import type { ServedPart } from '../../../../../clickhouse/statements/served-parts.ts';

const DAY = 86_400;
/** Times are days. */
const part = (name: string, from: number, to: number, shard = 0): ServedPart => ({
  table: 'observations',
  name: `${shard}-${name.slice(0, 1)}_${name.slice(1)}`,
  rows: 1,
  from: from * DAY,
  to: to * DAY,
});

describe('the stored parts of a window', () => {
  const large = [part('a1', 0, 100), part('b1', 100, 200)];
  for (const [what, stored, isDescending, window, hasOneVersion] of [
    ['one in each partition', large, false, [0, 200], true],
    ['a newer one at the end', [...large, part('b2', 150, 160)], false, [0, 150], true],
    ['a newer one, from the end', [...large, part('b2', 150, 160)], true, [160, 200], true],
    ['two at the beginning', [...large, part('a2', 0, 10)], false, [0, 10], false],
    ['two at the end', [...large, part('b2', 180, 200)], true, [180, 200], false],
    ['two of two partitions', [...large, part('c1', 0, 200)], false, [0, 200], true],
    ['two of two shards', [...large, part('a1', 0, 100, 1)], false, [0, 200], true],
    [
      'newer ones with less than a day between',
      [...large, part('b2', 150, 160), part('b3', 160.5, 170)],
      true,
      [170, 200],
      true,
    ],
    [
      'the same, before them',
      [...large, part('b2', 100, 160), part('b3', 160.5, 170)],
      false,
      [0, 100],
      true,
    ],
    [
      'the same, from them on',
      [part('b1', 0, 200), part('b2', 0, 160), part('b3', 160.5, 170)],
      false,
      [0, 170],
      false,
    ],
    ['none', [], false, [0, 200], true],
  ] as const)
    it(`have one version of each report: ${what}`, () => {
      const [from, to] = window;
      assert.deepEqual(firstUniform(stored, { from: 0, to: 200 * DAY }, isDescending), {
        window: { from: from * DAY, to: to * DAY },
        hasOneVersion,
      });
    });

  it('are the same where no insert or merge has changed those of its times', () => {
    const window = { from: 0, to: 100 * DAY };
    assert.ok(hasSameParts(large, [...large, part('b2', 150, 160)], 'observations', window));
    assert.ok(!hasSameParts(large, [...large, part('a2', 99, 100)], 'observations', window));
    assert.ok(!hasSameParts(large, [part('a3', 0, 100), part('b1', 100, 200)], 'observations', window));
  });
});
