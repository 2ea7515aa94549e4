import type { Archive } from '../archive.ts';
import { groupBy, inGroups } from '../group-by.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import { ARCHIVE_TIMES } from '../model/time-window.ts';
import { readServerTime } from '../server-time.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { readClocks } from '../zones/clocks.ts';
import { computeDays, runsOf } from './compute-days.ts';
import {
  clockOf,
  DAYS_VERSION,
  type DayMarks,
  firstOpenMonth,
  keyOfMonth,
  readClosedMonths,
  readNextVersion,
  type StationMonth,
} from './day-months.ts';
import { dayRows } from './fields.ts';
import { firstDayOf } from './local-month.ts';
import { readMonthsOfReports } from './reports.ts';

const TO_COMPUTE = readStatement('days/months_to_compute');
const INSERT = readStatement('days/insert_days');

/** A month to compute, and the run that has opened it. */
type OpenMonth = StationMonth & { readonly run: string };

/** Rows of one insert. */
const ROWS = 20_000;
const STATIONS_AT_ONCE = 500;
/** Seconds without a load until a month is computed: loading all stations day by day opens their months again and again. */
const QUIET = 3600;
const ALL = 2 ** 32 - 1;

/**
 * Computes and closes the months that this loader has opened, and those of loaders that have ended. A month stays open until it
 * has been over for three days.
 *
 * @param most the most station-months of other loaders; further ones are left to a later call
 */
export async function refreshDays(archive: Archive, marks: DayMarks, most: number, signal?: AbortSignal) {
  const now = await readServerTime(archive);
  const first = firstOpenMonth(now);
  const own = marks.take(first).map((month) => ({ ...month, run: marks.run }));
  const ofOthers = { query: TO_COMPUTE, params: { run: marks.run, first, most, quiet: QUIET } };
  const others = most === 0 ? [] : await selectRows<OpenMonth>(archive, ofOthers);
  const months = [...own, ...others];
  if (months.length === 0) return;
  const { version } = await marks.nextVersion(months.map(({ station }) => station));
  await computeMonths(archive, months, { now, version }, signal);
}

/** The stations, all if none is named, and the most station-months to compute. */
type Filled = { readonly stations?: readonly string[]; readonly most?: number };

/**
 * Computes the months with reports whose stored days do not count: in an archive that was loaded before days were stored, after a
 * change of the rules, and for stations whose time zone has become known.
 *
 * @returns how many station-months were computed, and whether others are left
 */
export async function fillDays(
  archive: Archive,
  { stations = [], most = Number.POSITIVE_INFINITY }: Filled = {},
  signal?: AbortSignal,
) {
  const now = await readServerTime(archive);
  const end = firstOpenMonth(now);
  const to = firstDayOf(end) * SECONDS_PER_DAY;
  const withReports = await readMonthsOfReports(archive, { stations, from: ARCHIVE_TIMES.from, to });
  const ofLoaders = { query: TO_COMPUTE, params: { run: '', first: end, most: ALL, quiet: 0 } };
  const openMonths = groupBy(await selectRows<OpenMonth>(archive, ofLoaders), keyOfMonth);
  let computed = 0;
  for (const group of inGroups(withReports, STATIONS_AT_ONCE)) {
    const names = group.map(({ station }) => station);
    const first = Math.min(...group.map(({ months }) => months[0] as number));
    const { clocks } = await standardClocks(archive, names, now);
    const closed = await readClosedMonths(archive, clocks, { first, end });
    const lacking = group.flatMap(({ station, months }) =>
      months
        .filter((month) => month < end && !closed.get(station)?.has(month))
        .map((month) => ({ station, month, run: '' })),
    );
    const taken = lacking.slice(0, most - computed);
    const ofRuns = taken.flatMap((month) => [month, ...(openMonths.get(keyOfMonth(month)) ?? [])]);
    const { version } = await readNextVersion(archive, names);
    await computeMonths(archive, ofRuns, { now, version }, signal);
    computed += taken.length;
    if (taken.length < lacking.length) return { computed, isWhole: false };
  }
  return { computed, isWhole: true };
}

function standardClocks(archive: Archive, stations: readonly string[], now: number) {
  return readClocks(archive, { stations, from: 0, to: now, timeZone: { kind: 'station', isStandard: true } });
}

/**
 * @param months in any order; a month that several runs have opened is there once for each run
 * @param version read before the reports, so that months opened from now on stay open
 */
async function computeMonths(
  archive: Archive,
  months: readonly OpenMonth[],
  { now, version }: { readonly now: number; readonly version: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const ofStations = groupBy(months, ({ station }) => station);
  const ofMonths = groupBy(months, keyOfMonth);
  for (const names of inGroups([...ofStations.keys()].toSorted(), STATIONS_AT_ONCE)) {
    const { clocks } = await standardClocks(archive, names, now);
    const monthsOf = (station: string) => runsOf((ofStations.get(station) ?? []).map(({ month }) => month));
    const rows = dayRows();
    let closed: object[] = [];
    const store = async () => {
      const structure = rows.structure.replaceAll("'", "\\'");
      const query = fillSql(INSERT, { structure, columns: rows.names.join(', ') });
      if (rows.count > 0) await archive.insertFile({ query, params: { at: version } }, rows.take());
      if (closed.length > 0) await archive.insert({ table: 'day_months', rows: closed });
      closed = [];
    };
    const computed = computeDays(archive, clocks, monthsOf, now, signal);
    for await (const { station, month, offsets, days } of computed) {
      rows.put(station, days, 0, days.date.length);
      const close = { isOpen: false, clock: clockOf(month, offsets), version: DAYS_VERSION, at: version };
      for (const open of ofMonths.get(keyOfMonth({ station, month })) ?? [])
        closed.push({ ...open, ...close });
      if (rows.count >= ROWS) await store();
    }
    await store();
  }
}
