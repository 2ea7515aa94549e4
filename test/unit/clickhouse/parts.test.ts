import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { newParts, type Part } from '../../../clickhouse/parts.ts';

const parts = (...names: string[]): Part[] => names.map((name) => ({ table: 'coverage', name, rows: 1 }));
const found = (before: readonly Part[], now: readonly Part[]) => {
  const told = newParts(before, now);
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
    assert.equal(found(parts('all_1_1_0'), [{ table: 'coverage', name: 'all_1_1_0', rows: 2 }]), 'all');
  });

  it('goes on being told after a mutation', () => {
    const before = parts('all_1_4_1_5', 'all_6_6_0');
    assert.deepEqual(found(before, parts('all_1_6_2_5')), ['all_1_6_2_5'], 'block 5 is the mutation');
    assert.deepEqual(found(before, parts('all_1_4_1_5', 'all_6_6_0', 'all_7_7_0')), ['all_7_7_0']);
  });

  it('is told of each table by itself', () => {
    const stations = { table: 'stations', name: 'all_1_1_0', rows: 1 };
    assert.deepEqual(newParts(parts('all_1_1_0'), [...parts('all_1_1_0'), stations]), [stations]);
    assert.equal(newParts([...parts('all_1_1_0'), stations], parts('all_1_1_0')), 'all');
  });

  it('never misses a block, however inserts are done and merged', () => {
    const steps = fc.array(
      fc.record({
        done: fc.boolean(),
        merge: fc.option(fc.tuple(fc.nat(30), fc.nat(4))),
        look: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (plan) => {
        // A part by the blocks that it says it spans and those that it holds; an insert may be done late.
        type Made = { first: number; last: number; blocks: number[] };
        let table: Made[] = [];
        let late: number[] = [];
        let seen = new Set<number>();
        let before: Part[] = [];
        let block = 0;
        const listed = () =>
          table.map(({ first, last }) => ({ table: 'coverage', name: `all_${first}_${last}_1`, rows: 1 }));
        for (const { done, merge, look } of plan) {
          block += 1;
          late.push(block);
          if (done) {
            // An insert that is not done yet keeps its place free: no merge may reach across it.
            for (const each of late.reverse()) table.push({ first: each, last: each, blocks: [each] });
            late = [];
            table.sort((a, b) => a.first - b.first);
          }
          if (merge !== null && table.length > 1) {
            const [from, more] = [merge[0] % table.length, merge[1] + 2];
            const some = table.slice(from, from + more);
            const [one, other] = [some[0], some.at(-1)];
            if (one !== undefined && other !== undefined && some.length > 1)
              table = [
                ...table.slice(0, from),
                { first: one.first, last: other.last, blocks: some.flatMap(({ blocks }) => blocks) },
                ...table.slice(from + more),
              ];
          }
          if (!look) continue;
          const now = listed();
          const told = newParts(before, now);
          assert.notEqual(told, 'all');
          const names = new Set((told as Part[]).map(({ name }) => name));
          const reached = table
            .filter((_, n) => names.has(now[n]?.name ?? ''))
            .flatMap(({ blocks }) => blocks);
          const held = table.flatMap(({ blocks }) => blocks);
          for (const each of held) assert.ok(seen.has(each) || reached.includes(each), `block ${each}`);
          seen = new Set(held);
          before = now;
        }
      }),
    );
  });
});
