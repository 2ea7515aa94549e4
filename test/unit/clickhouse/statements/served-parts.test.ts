import assert from 'node:assert/strict';
import { hasParts, partsOf, type ServedPart } from '../../../../clickhouse/statements/served-parts.ts';

const TABLE = 'observations';
const part = (name: string, from: number, to: number, shard = 0): ServedPart => ({
  table: TABLE,
  name: `${shard}-${name.slice(0, 1)}_${name.slice(1)}`,
  rows: 1,
  from: from * DAY,
  to: to * DAY,
});
/** Times are days. */
const DAY = 86_400;
const WINDOW = { from: 0, to: 200 * DAY };

describe('the stored parts of a window', () => {
  const large = [part('a1', 0, 100), part('b1', 100, 200)];
  for (const [what, stored, versioned] of [
    ['one in each partition', large, []],
    ['a newer one', [...large, part('b2', 150, 160)], [[150, 160]]],
    ['two that end before the large one', [part('b2', 150, 210), part('b1', 100, 200)], [[150, 200]]],
    [
      'newer ones that follow each other',
      [...large, part('b3', 160, 170), part('b2', 150, 160)],
      [[150, 170]],
    ],
    [
      'newer ones with half a day between',
      [...large, part('b3', 160.5, 170), part('b2', 150, 160)],
      [[150, 170]],
    ],
    [
      'newer ones with more between',
      [...large, part('b3', 170, 180), part('b2', 150, 160)],
      [
        [150, 160],
        [170, 180],
      ],
    ],
    ['some of two partitions', [...large, part('c1', 0, 200)], []],
    ['some of other times', [...large, part('b2', 200, 210)], []],
    ['those of another table', [...large, { ...part('b2', 150, 160), table: 'coverage' }], []],
    ['none', [], []],
  ] as const)
    it(`have several versions of reports where they overlap: ${what}`, () => {
      const times = versioned.map(([from, to]) => ({ from: from * DAY, to: to * DAY }));
      assert.deepEqual(partsOf(stored, TABLE, WINDOW)?.versioned, times);
    });

  it('are read by their names, and missed where a merge has taken one away', () => {
    const named = partsOf([...large, part('c1', 200, 210)], TABLE, WINDOW);
    assert.deepEqual(named?.names, ['a_1', 'b_1']);
    assert.ok(hasParts([...large, part('b2', 150, 160)], TABLE, named));
    assert.ok(!hasParts([part('a3', 0, 100), part('b1', 100, 200)], TABLE, named));
    assert.equal(partsOf([...large, part('a1', 0, 100, 1)], TABLE, WINDOW), undefined);
  });
});
