import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findLostReports } from '../../../../../clickhouse/coverage/ledger/claims.ts';
import type { RecordedSlice } from '../../../../../clickhouse/coverage/ledger/ledger.ts';
import { addDays } from '../../../../../clickhouse/model/day.ts';
import { day } from '../../../../support/archive/ledger.ts';

const FIRST = day('2024-01-01');
const FIRST_NUMBER = Date.UTC(2024, 0, 1) / 86_400_000;
const SOURCES = ['iem', 'ogimet', 'ncei'] as const;
type SourceName = (typeof SOURCES)[number];

/** Days are counted from the first of January. */
const stored = (...counts: readonly number[]) =>
  new Map(counts.map((count, at) => [FIRST_NUMBER + at, count]));

/** A row of iem about the days from `first` on, one for each count, recorded at `second`. */
const row = (
  second: number,
  first: number,
  counts: readonly number[],
  more: Partial<RecordedSlice> = {},
): RecordedSlice => ({
  source: 'iem',
  station: 'XAAA',
  firstDay: addDays(FIRST, first),
  doneDay: addDays(FIRST, first + counts.length),
  endDay: addDays(FIRST, first + counts.length),
  reports: counts.reduce((sum, count) => sum + count, 0),
  run: `run ${second}`,
  reportsByDay: counts,
  recordedAt: second,
  ...more,
});
const ogimet = { source: 'ogimet' } as const;

describe('reports that the archive has lost', () => {
  /** Title, rows, what is stored, what is lost, rows over all stations. */
  type Case = readonly [
    title: string,
    rows: readonly RecordedSlice[],
    stored: readonly number[],
    lost: readonly (readonly [SourceName, first: number, end: number, recorded: number, stored: number])[],
    covering?: readonly RecordedSlice[],
  ];
  const of8 = [
    ['iem', 0, 1, 8, 6],
    ['ogimet', 0, 1, 8, 6],
  ] as const;
  const world = { station: '*' };
  const cases: readonly Case[] = [
    ['are none where it holds what it held', [row(1, 0, [5, 6])], [5, 6], []],
    ['are found when all are gone', [row(1, 0, [5, 5])], [], [['iem', 0, 2, 10, 0]]],
    [
      'are named for every source that had brought the day before',
      [row(1, 0, [5]), row(2, 0, [8], ogimet)],
      [6],
      of8,
    ],
    [
      'are left to the source that has not been asked again yet',
      [row(1, 0, [5]), row(2, 0, [8], ogimet), row(3, 0, [6], ogimet)],
      [6],
      [['iem', 0, 1, 8, 6]],
    ],
    [
      'are named for a source whose slice has other days',
      [row(1, 0, [5, 5, 5]), row(2, 1, [8], ogimet)],
      [5, 6, 5],
      of8.map(([source]) => [source, 1, 2, 8, 6]),
    ],
    [
      'are named for a source whose slice over all stations brought the day',
      [row(2, 0, [8], ogimet)],
      [6],
      of8,
      [row(1, 0, [9000], world)],
    ],
    [
      'are named although a slice over all stations has brought the day since',
      [row(1, 0, [5])],
      [4],
      [['iem', 0, 1, 5, 4]],
      [row(2, 0, [9000], world)],
    ],
    [
      'are found in a row of the same second, if it is of an earlier run',
      [row(1, 0, [5], { run: 'a' }), row(1, 0, [4], { run: 'b' })],
      [4],
      [],
    ],
  ];
  for (const [title, rows, now, lost, covering] of cases)
    it(title, () => {
      const found = findLostReports(rows, stored(...now), covering);
      const expected = lost.map(([source, first, end, recorded, counted]) => ({
        source,
        firstDay: addDays(FIRST, first),
        endDay: addDays(FIRST, end),
        recorded,
        stored: counted,
      }));
      assert.deepEqual(found, expected);
    });

  /** What each source holds: a report is a number, its day the remainder. */
  const DAYS = 6;
  const held = fc.record({
    iem: fc.uniqueArray(fc.nat(60), { maxLength: 40 }),
    ogimet: fc.uniqueArray(fc.nat(60), { maxLength: 40 }),
    ncei: fc.uniqueArray(fc.nat(60), { maxLength: 40 }),
  });
  const load = fc.record({
    source: fc.constantFrom(...SOURCES),
    first: fc.nat(DAYS - 1),
    length: fc.integer({ min: 1, max: DAYS }),
  });

  it('are found right after the loss, and what the ledger names brings back all of them', () => {
    fc.assert(
      fc.property(
        held,
        fc.array(load, { minLength: 1, maxLength: 8 }),
        fc.uniqueArray(fc.nat(60)),
        (sources, loads, gone) => {
          const archive = new Set<number>();
          const rows: RecordedSlice[] = [];
          const counts = () =>
            Array.from(
              { length: DAYS },
              (_, of) => [...archive].filter((report) => report % DAYS === of).length,
            );
          const run = (source: SourceName, first: number, end: number) => {
            for (const report of sources[source])
              if (report % DAYS >= first && report % DAYS < end) archive.add(report);
            rows.push(row(rows.length, first, counts().slice(first, end), { source }));
          };
          for (const { source, first, length } of loads) run(source, first, Math.min(DAYS, first + length));
          assert.deepEqual(findLostReports(rows, stored(...counts())), []);

          const before = new Set(archive);
          for (const report of gone) archive.delete(report);
          const named = findLostReports(rows, stored(...counts()));
          assert.equal(named.length > 0, archive.size < before.size);
          for (const { source, firstDay, endDay } of named) {
            const [first = 0, end = 0] = [firstDay, endDay].map(
              (of) => Date.parse(of) / 86_400_000 - FIRST_NUMBER,
            );
            run(source as SourceName, first, end);
          }
          assert.ok([...before].every((report) => archive.has(report)));
          assert.deepEqual(findLostReports(rows, stored(...counts())), []);
        },
      ),
      { numRuns: 300, seed: 39 },
    );
  });
});
