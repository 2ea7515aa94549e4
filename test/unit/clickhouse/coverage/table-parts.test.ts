import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { addedParts, type Part } from '../../../../clickhouse/coverage/table-parts.ts';

const parts = (...names: string[]): Part[] => names.map((name) => ({ table: 'coverage', name, rows: 1 }));
const found = (before: readonly Part[], now: readonly Part[]) => {
  const told = addedParts(before, now);
  return told === 'all' ? told : told.map(({ name }) => name);
};

describe('what has come to a table, told by its parts', () => {
  it('is nothing when its parts are the same, or merged ones of the same', () => {
    const before = parts('all_1_4_1', 'all_5_5_0', 'all_6_6_0');
    assert.deepEqual(found(before, before), []);
    assert.deepEqual(found(before, parts('all_1_6_2')), []);
    assert.deepEqual(found(before, parts('all_1_5_2', 'all_6_6_0')), []);
  });

  it('is in the parts of new blocks, in whatever order these were done', () => {
    assert.deepEqual(found(parts('all_1_4_1'), parts('all_1_4_1', 'all_6_6_0')), ['all_6_6_0']);
    assert.deepEqual(found(parts('all_1_4_1', 'all_6_6_0'), parts('all_1_4_1', 'all_5_5_0', 'all_6_6_0')), [
      'all_5_5_0',
    ]);
    assert.deepEqual(found([], parts('all_1_1_0')), ['all_1_1_0']);
  });

  it('is somewhere in a merged part that holds more than was there before', () => {
    assert.deepEqual(found(parts('all_1_4_1', 'all_6_6_0'), parts('all_1_6_2')), ['all_1_6_2']);
    assert.deepEqual(found(parts('all_1_4_1'), parts('all_1_5_2')), ['all_1_5_2']);
    assert.deepEqual(found(parts('all_2_4_1'), parts('all_1_4_2')), ['all_1_4_2']);
  });

  it('cannot be said where rows have gone: by a mutation, a truncation, or another table in its place', () => {
    assert.equal(found(parts('all_1_4_1'), []), 'all');
    assert.equal(found(parts('all_1_4_1'), parts('all_5_5_0')), 'all');
    assert.equal(found(parts('all_1_4_1'), parts('all_1_4_1_5')), 'all');
    assert.equal(found(parts('all_1_4_1_5'), parts('all_1_4_1_6')), 'all');
    assert.equal(found(parts('all_1_4_1', 'all_5_5_0'), parts('all_1_5_2_6')), 'all');
    assert.equal(found(parts('all_1_4_1'), parts('all_1_4_1', 'all_5_5_0_6')), 'all');
    assert.equal(found(parts('all_1_1_0'), [{ table: 'coverage', name: 'all_1_1_0', rows: 2 }]), 'all');
  });

  it('goes on being told after a mutation', () => {
    const before = parts('all_1_4_1_5', 'all_6_6_0');
    assert.deepEqual(found(before, parts('all_1_6_2_5')), ['all_1_6_2_5'], 'block 5 is the mutation');
    assert.deepEqual(found(before, parts('all_1_4_1_5', 'all_6_6_0', 'all_7_7_0')), ['all_7_7_0']);
  });

  it('is told of each table by itself', () => {
    const stations = { table: 'stations', name: 'all_1_1_0', rows: 1 };
    assert.deepEqual(addedParts(parts('all_1_1_0'), [...parts('all_1_1_0'), stations]), [stations]);
    assert.equal(addedParts([...parts('all_1_1_0'), stations], parts('all_1_1_0')), 'all');
  });

  it('never misses a block, in whatever order inserts are done and merged', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('begin' as const) }),
        fc.record({ kind: fc.constant('done' as const), which: fc.nat(20) }),
        fc.record({ kind: fc.constant('merge' as const), from: fc.nat(30), more: fc.nat(4) }),
        fc.record({ kind: fc.constant('look' as const) }),
      ),
      { maxLength: 80 },
    );
    /** A part by the blocks that its name says, and those that it holds. */
    type Made = { readonly first: number; readonly last: number; readonly blocks: readonly number[] };
    fc.assert(
      fc.property(steps, (plan) => {
        const table: Made[] = [{ first: 1, last: 1, blocks: [1] }];
        let block = 1;
        const underWay: number[] = [];
        let seen: readonly number[] = [];
        let before: readonly Part[] = [];
        for (const step of plan) {
          if (step.kind === 'begin') {
            block += 1;
            underWay.push(block);
          }
          if (step.kind === 'done' && underWay.length > 0) {
            const [each = 0] = underWay.splice(step.which % underWay.length, 1);
            table.push({ first: each, last: each, blocks: [each] });
            table.sort((a, b) => a.first - b.first);
          }
          if (step.kind === 'merge') {
            const some = table.slice(step.from, step.from + step.more + 2);
            const [one, other] = [some[0], some.at(-1)];
            // An insert that is not done yet keeps its place free: no merge reaches across it.
            const isFree = underWay.every((each) => each < (one?.first ?? 0) || each > (other?.last ?? 0));
            if (one !== undefined && other !== undefined && isFree)
              table.splice(step.from, some.length, {
                first: one.first,
                last: other.last,
                blocks: some.flatMap(({ blocks }) => blocks),
              });
          }
          if (step.kind === 'look') {
            const now = table.map(({ first, last }) => ({
              table: 'coverage',
              name: `all_${first}_${last}_1`,
              rows: 1,
            }));
            const told = addedParts(before, now);
            assert.notEqual(told, 'all');
            const names = new Set((told as readonly Part[]).map(({ name }) => name));
            const reached = table
              .filter((_, n) => names.has(now[n]?.name ?? ''))
              .flatMap(({ blocks }) => blocks);
            const held = table.flatMap(({ blocks }) => blocks);
            for (const each of held)
              assert.ok(seen.includes(each) || reached.includes(each), `block ${each}`);
            seen = held;
            before = now;
          }
        }
      }),
      { numRuns: 2000 },
    );
  });
});
