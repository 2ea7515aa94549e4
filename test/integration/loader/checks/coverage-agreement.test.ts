import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCoverage, readCoverageDetails } from '../../../../clickhouse/coverage/coverage.ts';
import type { CoverageState } from '../../../../clickhouse/coverage/rules.ts';
import { readCoverageStates } from '../../../../clickhouse/coverage/state.ts';
import { readMissingDays, readRemainingDays } from '../../../../clickhouse/coverage/station-days.ts';
import { addDays, type Day, type DayRange, dayRangesOf } from '../../../../clickhouse/model/day.ts';
import { windowOfDays } from '../../../../clickhouse/model/time-window.ts';
import { findGaps } from '../../../../loader/checks/gaps.ts';
import { readStatus } from '../../../../loader/commands/status.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { day, sliceRecord } from '../../../support/archive/ledger.ts';
import { repetitions } from '../../../support/repetitions.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const OLD_ENOUGH = day('2026-05-29');
/** ISD ends in this range. */
const RANGE = { firstDay: day('2025-08-15'), endDay: day('2025-09-10') };
const ISD_END = day('2025-08-29');
/** The source had ended before this day: it proves nothing (D88). */
const isPast = (source: string, of: Day) => source === 'ncei' && of >= ISD_END;
const STATIONS = ['XAAA', 'XAAB', 'XAAC'] as const;
const SOURCES = ['iem', 'ogimet', 'ncei', 'awc'] as const;
type SourceName = (typeof SOURCES)[number];

/** From the first to the last of two days. */
const rangeOf = (days: readonly [Day, Day]): DayRange => {
  const [firstDay, lastDay] = days.toSorted() as [Day, Day];
  return { firstDay, endDay: addDays(lastDay, 1) };
};
const daysOf = ({ firstDay, endDay }: DayRange): readonly Day[] => {
  const days: Day[] = [];
  for (let each = firstDay; each < endDay; each = addDays(each, 1)) days.push(each);
  return days;
};
const DAYS = daysOf(RANGE);
const ALL_DAYS = daysOf({ firstDay: day('2005-01-01'), endDay: OLD_ENOUGH });

const station = fc.constantFrom(...STATIONS);
const source = fc.constantFrom(...SOURCES);
const someDay = fc.nat(DAYS.length - 1).map((n) => DAYS[n] as Day);
const optionalDay = fc.option(someDay, { nil: undefined });
const listings = fc.uniqueArray(
  fc.record({ station, source, firstDay: optionalDay, lastDay: optionalDay, listedDay: someDay }),
  { maxLength: 8, selector: (each) => `${each.station} ${each.source}` },
);
const slices = fc.array(
  fc.record({ station: fc.constantFrom(...STATIONS, '*'), source, firstDay: someDay, length: fc.nat(12) }),
  { maxLength: 8 },
);
type Listing = typeof listings extends fc.Arbitrary<(infer T)[]> ? T : never;
type Slice = typeof slices extends fc.Arbitrary<(infer T)[]> ? T : never;

/** D13, D37 and D88, day by day, in the words of the decisions. */
function oracle(stated: readonly Listing[], loaded: readonly Slice[]) {
  const isExcludedBy = ({ firstDay, lastDay, listedDay }: Listing, of: Day) =>
    (firstDay !== undefined && of < firstDay) || (lastDay !== undefined && of > lastDay && of < listedDay);
  const listingsOf = (code: string) => stated.filter((each) => each.station === code);
  const hasBrought = (code: string, by: SourceName, of: Day) =>
    !isPast(by, of) &&
    loaded.some(
      (each) =>
        each.source === by &&
        (each.station === code || each.station === '*') &&
        each.firstDay <= of &&
        of < addDays(each.firstDay, each.length),
    );
  const isDoneBy = (code: string, by: SourceName, of: Day) =>
    listingsOf(code).some((each) => each.source === by) && hasBrought(code, by, of);
  const isExcluded = (code: string, by: SourceName, of: Day) =>
    listingsOf(code).some((each) => each.source === by && isExcludedBy(each, of));
  const isDue = (code: string, of: Day) => {
    const periods = listingsOf(code).filter(
      (each) => each.firstDay !== undefined || each.lastDay !== undefined,
    );
    return periods.length === 0 || periods.some((each) => !isExcludedBy(each, of));
  };
  const isOpen = (code: string, of: Day) => isDue(code, of) && !SOURCES.some((by) => isDoneBy(code, by, of));
  return {
    isListed: (code: string) => listingsOf(code).length > 0,
    isDue,
    isOpen,
    isPlanned: (code: string, by: SourceName, of: Day) =>
      listingsOf(code).some((each) => each.source === by)
        ? !isDoneBy(code, by, of) && !isExcluded(code, by, of)
        : !hasBrought(code, by, of) || isOpen(code, of),
    /** Whether a load from these sources ends with this day left. */
    isLeft: (code: string, from: readonly SourceName[], of: Day) =>
      isOpen(code, of) && from.some((by) => !isExcluded(code, by, of) && !isPast(by, of)),
    isFillable: (code: string, by: SourceName, of: Day) =>
      by !== 'awc' &&
      !isPast(by, of) &&
      listingsOf(code).some((each) => each.source === by && !isExcludedBy(each, of)),
  };
}

describe('coverage of api, status, gaps and load plan', function () {
  this.timeout(600_000);
  const archive = useArchive();

  async function fill(stated: readonly Listing[], loaded: readonly Slice[]): Promise<void> {
    for (const table of ['slices', 'coverage', 'stations'])
      await archive.client.command({ query: `TRUNCATE TABLE ${table}` });
    const listed = stated.map(({ listedDay, ...listing }) => ({
      ...listing,
      listedAt: `${listedDay} 12:00:00.000`,
    }));
    const recorded = loaded.map(({ length, firstDay, ...slice }) =>
      sliceRecord(firstDay, addDays(firstDay, length), slice),
    );
    await insertRows('stations', listed);
    await insertRows('slices', recorded);
  }

  async function insertRows(table: string, values: readonly object[]): Promise<void> {
    if (values.length > 0) await archive.client.insert({ table, rows: values });
  }

  it('agrees day by day with the rules (D37), and so does every range with its days (D38)', async () => {
    const property = fc.asyncProperty(
      listings,
      slices,
      fc.array(fc.tuple(someDay, someDay), { maxLength: 10 }),
      async (stated, loaded, ranges) => {
        const rules = oracle(stated, loaded);
        await fill(stated, loaded);
        const states = await readCoverageStates(archive.client, [...STATIONS, '*']);
        await agreesInApi(rules, states, ranges);
        await agreesInDetails(rules, states, ranges);
        await agreesInStatus(rules);
        const plans = await agreesInPlans(rules);
        await agreesInGaps(rules, plans);
        await agreesInDaysLeft(rules);
      },
    );
    await fc.assert(property, { numRuns: repetitions({ usual: 4, long: 100 }), seed: 38 });
  });

  async function agreesInApi(
    { isListed, isOpen }: ReturnType<typeof oracle>,
    states: ReadonlyMap<string, CoverageState>,
    ranges: readonly (readonly [Day, Day])[],
  ): Promise<void> {
    for (const range of [...ranges, ...DAYS.map((each) => [each, each] as const)].map(rangeOf)) {
      const request = { stations: STATIONS, ...windowOfDays(range) };
      const { stations } = await readCoverage(archive.client, request, states);
      const expected = STATIONS.map((code) => {
        const isDone = isListed(code) && !daysOf(range).some((each) => isOpen(code, each));
        return { code, status: isDone ? 'complete' : 'none' };
      });
      const found = stations.map(({ station: code, status }) => ({ code, status }));
      assert.deepEqual(found, expected, JSON.stringify(range));
    }
  }

  async function agreesInDetails(
    { isListed, isDue, isOpen }: ReturnType<typeof oracle>,
    states: ReadonlyMap<string, CoverageState>,
    ranges: readonly (readonly [Day, Day])[],
  ): Promise<void> {
    const { client } = archive;
    for (const range of [...ranges, [day('2005-01-01'), day('2026-06-10')] as const].map(rangeOf)) {
      const request = { stations: STATIONS, ...windowOfDays(range) };
      const details = await readCoverageDetails(client, request, NOW, states);
      const asked = daysOf(range).filter((each) => each < OLD_ENOUGH);
      for await (const { station: code, years, gaps, notDue, yearsDone } of details.stations) {
        const due = isListed(code) ? asked.filter((each) => isDue(code, each)) : [];
        const open = due.filter((each) => isOpen(code, each));
        assert.deepEqual(dayRangesOf(gaps).flatMap(daysOf), open, `gaps of ${code}`);
        const isDueDay = new Set(due);
        const others = asked.filter((each) => !isDueDay.has(each));
        assert.deepEqual(dayRangesOf(notDue).flatMap(daysOf), others, `days of ${code} that are not due`);
        for (const { year, daysDue, daysDone } of years) {
          const count = (days: readonly Day[]) => days.filter((each) => each.startsWith(`${year}`)).length;
          assert.deepEqual([daysDue, daysDone], [count(due), count(due) - count(open)], `${code} ${year}`);
        }
        assert.equal(years.filter(({ status }) => status === 'complete').length, yearsDone);
      }
    }
  }

  async function agreesInStatus({ isListed, isDue, isOpen }: ReturnType<typeof oracle>): Promise<void> {
    const { stations = [] } = await readStatus(archive.client, STATIONS, NOW);
    for (const code of STATIONS) {
      const counts = { done: 0, due: 0 };
      for (const { daysDone, daysDue } of stations.find(({ station }) => station === code)?.years ?? []) {
        counts.done += daysDone;
        counts.due += daysDue;
      }
      const due = isListed(code) ? ALL_DAYS.filter((each) => isDue(code, each)) : [];
      assert.deepEqual(
        counts,
        { done: due.filter((each) => !isOpen(code, each)).length, due: due.length },
        `status of ${code}`,
      );
    }
  }

  async function agreesInPlans({ isPlanned }: ReturnType<typeof oracle>): Promise<ReadonlySet<string>> {
    const planned = new Set<string>();
    for (const by of SOURCES) {
      const missing = await readMissingDays(archive.client, { source: by, stations: STATIONS, ...RANGE });
      for (const [code, some] of missing)
        for (const each of some.flatMap(daysOf)) planned.add(`${code} ${by} ${each}`);
    }
    const expected = STATIONS.flatMap((code) =>
      SOURCES.flatMap((by) =>
        DAYS.filter((each) => isPlanned(code, by, each)).map((each) => `${code} ${by} ${each}`),
      ),
    );
    assert.deepEqual([...planned].sort(), expected.sort());
    return planned;
  }

  async function agreesInDaysLeft({ isLeft }: ReturnType<typeof oracle>): Promise<void> {
    for (const from of [['iem'], ['ogimet'], ['ncei'], ['ncei', 'iem']] as const) {
      const sources = from.map((source) => ({
        source,
        endDay: source === 'ncei' ? ISD_END : undefined,
      }));
      const left = await readRemainingDays(archive.client, { stations: STATIONS, sources, ...RANGE });
      const found = [...left].flatMap(([code, some]) =>
        some.flatMap(daysOf).map((each) => `${code} ${each}`),
      );
      const expected = STATIONS.flatMap((code) =>
        DAYS.filter((each) => isLeft(code, from, each)).map((each) => `${code} ${each}`),
      );
      assert.deepEqual(found.sort(), expected.sort(), `left by a load from ${from}`);
    }
  }

  async function agreesInGaps(
    { isListed, isOpen, isFillable }: ReturnType<typeof oracle>,
    planned: ReadonlySet<string>,
  ): Promise<void> {
    const { gaps, unfillable } = await findGaps(archive.client, { stations: STATIONS, ...RANGE }, NOW);
    const commanded = gaps.flatMap((gap) => daysOf(gap).map((each) => ({ ...gap, day: each })));
    for (const each of commanded) {
      assert.equal(each.kind, 'not done');
      assert.ok(planned.has(`${each.station} ${each.source} ${each.day}`), 'the command loads the day');
    }
    const open = STATIONS.filter(isListed).flatMap((code) =>
      DAYS.filter((each) => isOpen(code, each)).map((each) => ({ code, day: each })),
    );
    const fillable = open.filter((each) => SOURCES.some((by) => isFillable(each.code, by, each.day)));
    assert.deepEqual(
      commanded.map((each) => `${each.station} ${each.day}`).sort(),
      fillable.map((each) => `${each.code} ${each.day}`).sort(),
    );
    assert.equal(unfillable.days, open.length - fillable.length);
  }
});
