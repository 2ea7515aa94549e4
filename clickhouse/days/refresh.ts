import type { Archive } from '../archive.ts';
import { groupBy, inGroups } from '../group-by.ts';
import { Pauses } from '../pauses.ts';
import { readServerTime } from '../server-time.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { readClocks } from '../zones/clocks.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import { computeDays, runsOf } from './compute-days.ts';
import {
  clockOf,
  DAYS_VERSION,
  type DayMarks,
  firstOpenMonth,
  readClosedMonths,
  type StationMonth,
} from './day-months.ts';
import { DayRows } from './day-rows.ts';

const [TO_COMPUTE, WITH_REPORTS, INSERT] = ['months_to_compute', 'months_with_reports', 'insert_days'].map(
  (name) => readStatement(`days/${name}`),
) as [string, string, string];

/** A month to compute, and the runs that have it open. */
type OpenMonth = StationMonth & { readonly runs: readonly string[] };

/** Rows of one insert. */
const ROWS = 20_000;
const STATIONS_AT_ONCE = 500;
/** Who loads day after day of all stations opens their months each time. Seconds. */
const QUIET = 3600;
const ALL = 2 ** 32 - 1;

/**
 * Computes the months that this loader has open, and those of loaders that have ended, and closes them. A month that is not over
 * for three days stays open.
 *
 * @param most station-months of other loaders; what is left is for the next one
 */
export async function refreshDays(
  archive: Archive,
  marks: DayMarks,
  most: number,
  signal?: AbortSignal,
): Promise<void> {
  const now = await readServerTime(archive);
  const first = firstOpenMonth(now);
  const own = marks.take(first);
  const others =
    most === 0 ? [] : await readOpenMonths(archive, { run: marks.run, first, most, quiet: QUIET });
  const all = [...own.map((month) => ({ ...month, run: marks.run })), ...others];
  const months = [...groupBy(all, keyOf).values()].map((same) => ({
    ...(same[0] as StationMonth),
    runs: same.map(({ run }) => run),
  }));
  await computeMonths(archive, months, now, signal);
}

/**
 * Computes the months with reports whose stored days do not count: of an archive that was loaded before there were days, after a
 * new rule, and of stations whose zone has become known.
 *
 * @param stations all if none is named
 * @param most station-months
 * @returns how many were computed, and whether others are left
 */
export async function fillDays(
  archive: Archive,
  {
    stations = [],
    most = Number.POSITIVE_INFINITY,
  }: { readonly stations?: readonly string[]; readonly most?: number } = {},
  signal?: AbortSignal,
): Promise<{ readonly computed: number; readonly isWhole: boolean }> {
  const now = await readServerTime(archive);
  const withReports = await selectRows<{ station: string; months: readonly number[] }>(archive, {
    query: WITH_REPORTS,
    params: { stations, first: firstOpenMonth(now) },
  });
  const open = await readOpenMonths(archive, { run: '', first: firstOpenMonth(now), most: ALL, quiet: 0 });
  const openMonths = groupBy(open, keyOf);
  let computed = 0;
  for (const group of inGroups(withReports, STATIONS_AT_ONCE)) {
    const names = group.map(({ station }) => station);
    const first = Math.min(...group.map(({ months }) => months[0] as number));
    const { clocks } = await standardClocks(archive, names, now);
    const closed = await readClosedMonths(archive, clocks, { first, end: firstOpenMonth(now) });
    const lacking = group.flatMap(({ station, months }) =>
      months
        .filter((month) => !closed.get(station)?.has(month))
        .map((month) => {
          const others = openMonths.get(keyOf({ station, month })) ?? [];
          return { station, month, runs: ['', ...others.map(({ run }) => run)] };
        }),
    );
    const taken = lacking.slice(0, most - computed);
    await computeMonths(archive, taken, now, signal);
    computed += taken.length;
    if (taken.length < lacking.length) return { computed, isWhole: false };
  }
  return { computed, isWhole: true };
}

function readOpenMonths(
  archive: Archive,
  params: { readonly run: string; readonly first: number; readonly most: number; readonly quiet: number },
) {
  return selectRows<StationMonth & { readonly run: string }>(archive, { query: TO_COMPUTE, params });
}

function standardClocks(archive: Archive, stations: readonly string[], now: number) {
  return readClocks(archive, { stations, from: 0, to: now, timeZone: { kind: 'station', isStandard: true } });
}

async function computeMonths(
  archive: Archive,
  months: readonly OpenMonth[],
  now: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Before anything that is opened from now on, which then stays open.
  const at = Math.floor(now * 1000) - 1;
  const byStation = [...groupBy(months, ({ station }) => station)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const group of inGroups(byStation, STATIONS_AT_ONCE)) {
    const { clocks } = await standardClocks(
      archive,
      group.map(([station]) => station),
      now,
    );
    const offsetsOf = new Map(
      clocks.flatMap(({ stations, offsets }) => stations.map((station) => [station, offsets] as const)),
    );
    const asked = new Map(group.flatMap(([, of]) => of.map((each) => [keyOf(each), each])));
    const runs = group.flatMap(([station, of]) => {
      const offsets = offsetsOf.get(station) as readonly Offset[];
      return runsOf(of.map(({ month }) => month)).map((run) => ({ station, offsets, ...run }));
    });
    const rows = new DayRows();
    let computed: OpenMonth[] = [];
    const store = async () => {
      const structure = rows.structure.replaceAll("'", "\\'");
      if (rows.count > 0)
        await archive.insertFile(
          {
            query: fillSql(INSERT, { structure, columns: ['station', ...rows.names].join(', ') }),
            params: { at },
          },
          rows.take(),
        );
      await closeMonths(archive, computed, offsetsOf, at);
      computed = [];
    };
    for await (const { station, month, days } of computeDays(archive, runs, now, new Pauses(signal))) {
      rows.putDays(station, days);
      computed.push(asked.get(keyOf({ station, month })) as OpenMonth);
      if (rows.count >= ROWS) await store();
    }
    await store();
  }
}

const keyOf = ({ station, month }: StationMonth) => `${station} ${month}`;

/** @param at milliseconds since 1970-01-01T00:00:00Z */
async function closeMonths(
  archive: Archive,
  months: readonly OpenMonth[],
  offsetsOf: ReadonlyMap<string, readonly Offset[]>,
  at: number,
): Promise<void> {
  const time = new Date(at).toISOString().replace('T', ' ').replace('Z', '');
  const rows = months.flatMap(({ station, month, runs }) => {
    const clock = clockOf(month, offsetsOf.get(station) as readonly Offset[]);
    const closed = { station, month, isOpen: false, clock, version: DAYS_VERSION, at: time };
    return runs.map((run) => ({ ...closed, run }));
  });
  if (rows.length > 0) await archive.insert({ table: 'day_months', rows });
}
