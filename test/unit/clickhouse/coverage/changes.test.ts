import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addedParts, type Part } from '../../../../clickhouse/coverage/changes.ts';

const parts = (...names: string[]): Part[] => names.map((name) => ({ table: 'coverage', name, rows: 1 }));
const added = (before: readonly Part[], now: readonly Part[]) => {
  const some = addedParts(before, now);
  return some === 'all' ? some : some.map(({ name }) => name);
};

describe('added parts of a table', () => {
  it('are none when the parts are the same, or merged from the same', () => {
    const before = parts('all_1_4_1', 'all_5_5_0', 'all_6_6_0');
    assert.deepEqual(added(before, before), []);
    assert.deepEqual(added(before, parts('all_1_6_2')), []);
    assert.deepEqual(added(before, parts('all_1_5_2', 'all_6_6_0')), []);
  });

  it('are not known where rows may have been deleted: by a mutation, by TRUNCATE, or by a new table of that name', () => {
    assert.equal(added(parts('all_1_4_1'), []), 'all');
    assert.equal(added(parts('all_1_4_1'), parts('all_5_5_0')), 'all');
    assert.equal(added(parts('all_1_4_1'), parts('all_1_4_1_5')), 'all');
    assert.equal(added(parts('all_1_4_1_5'), parts('all_1_4_1_6')), 'all');
    assert.equal(added(parts('all_1_4_1', 'all_5_5_0'), parts('all_1_5_2_6')), 'all');
    assert.equal(added(parts('all_1_4_1'), parts('all_1_4_1', 'all_5_5_0_6')), 'all');
    assert.equal(added(parts('all_1_1_0'), [{ table: 'coverage', name: 'all_1_1_0', rows: 2 }]), 'all');
  });

  it('are known again after a mutation', () => {
    const before = parts('all_1_4_1_5', 'all_6_6_0');
    assert.deepEqual(added(before, parts('all_1_6_2_5')), ['all_1_6_2_5'], 'block 5 is the mutation');
    assert.deepEqual(added(before, parts('all_1_4_1_5', 'all_6_6_0', 'all_7_7_0')), ['all_7_7_0']);
  });

  it('are decided for each table by itself', () => {
    const stations = { table: 'stations', name: 'all_1_1_0', rows: 1 };
    assert.deepEqual(addedParts(parts('all_1_1_0'), [...parts('all_1_1_0'), stations]), [stations]);
    assert.equal(addedParts([...parts('all_1_1_0'), stations], parts('all_1_1_0')), 'all');
  });

  it('are decided for each partition by itself', () => {
    const before = parts('2023_1_4_1', '2024_2_2_0');
    assert.deepEqual(added(before, parts('2023_1_4_1', '2024_2_4_1')), ['2024_2_4_1']);
    assert.deepEqual(added(before, parts('2023_1_4_1', '2024_2_2_0', '2025_5_5_0')), ['2025_5_5_0']);
    assert.equal(added(before, parts('2023_1_4_1')), 'all');
    assert.equal(added(before, parts('2023_1_4_1_5', '2024_2_2_0_5')), 'all');
  });

  it('never miss a block, in whatever order inserts finish and merge', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('begin' as const) }),
        fc.record({ kind: fc.constant('insert' as const), which: fc.nat(20) }),
        fc.record({ kind: fc.constant('merge' as const), from: fc.nat(30), more: fc.nat(4) }),
        fc.record({ kind: fc.constant('compare' as const) }),
      ),
      { maxLength: 80 },
    );
    /** A part: the blocks that its name states, and those that it contains. */
    type TestPart = { readonly first: number; readonly last: number; readonly blocks: readonly number[] };
    fc.assert(
      fc.property(steps, (plan) => {
        const table: TestPart[] = [{ first: 1, last: 1, blocks: [1] }];
        let block = 1;
        const running: number[] = [];
        let known: readonly number[] = [];
        let before: readonly Part[] = [];
        for (const step of plan) {
          if (step.kind === 'begin') {
            block += 1;
            running.push(block);
          }
          if (step.kind === 'insert' && running.length > 0) {
            const [each = 0] = running.splice(step.which % running.length, 1);
            table.push({ first: each, last: each, blocks: [each] });
            table.sort((a, b) => a.first - b.first);
          }
          if (step.kind === 'merge') {
            const some = table.slice(step.from, step.from + step.more + 2);
            const [one, other] = [some[0], some.at(-1)];
            // ClickHouse merges no parts across the block of an insert that is still running.
            const isFree = running.every((each) => each < (one?.first ?? 0) || each > (other?.last ?? 0));
            if (one !== undefined && other !== undefined && isFree)
              table.splice(step.from, some.length, {
                first: one.first,
                last: other.last,
                blocks: some.flatMap(({ blocks }) => blocks),
              });
          }
          if (step.kind === 'compare') {
            const now = table.map(({ first, last }) => ({
              table: 'coverage',
              name: `all_${first}_${last}_1`,
              rows: 1,
            }));
            const result = addedParts(before, now);
            assert.notEqual(result, 'all');
            const names = new Set((result as readonly Part[]).map(({ name }) => name));
            const reported = table
              .filter((_, n) => names.has(now[n]?.name ?? ''))
              .flatMap(({ blocks }) => blocks);
            const stored = table.flatMap(({ blocks }) => blocks);
            for (const each of stored)
              assert.ok(known.includes(each) || reported.includes(each), `block ${each}`);
            known = stored;
            before = now;
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});
