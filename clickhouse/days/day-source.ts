import type { Archive } from '../archive.ts';
import { dayOfNumber, numberOfDay, subtract } from '../model/day.ts';
import { Pauses } from '../pauses.ts';
import type { Clock } from '../zones/clocks.ts';
import { computeDays, runsOf, type StationMonths } from './compute-days.ts';
import { readClosedMonths } from './day-months.ts';
import { DayRows } from './day-rows.ts';
import { type DaysUntilNow, reachedDays } from './days-until-now.ts';
import { DAY_FIELDS, type DaySource } from './fields.ts';
import { firstDayOf, monthOfDay } from './local-month.ts';

/** Each station belongs to one clock of standard time or UTC, with offsets from two months before the range to two days after. */
export type DaysOfClocks = DaysUntilNow & { readonly clocks: readonly Clock[] };

const COMPUTED = 'computed_days';

/**
 * The days of stations in a range, up to the one that is not over in the time of the station; those without a report too. Stored
 * days are read where they equal their reports, and all others computed now.
 *
 * @param fields those that the statement names
 * @throws the reason of the signal, which ends the work between months too
 */
export async function daySource(
  archive: Archive,
  asked: DaysOfClocks & { readonly fields: readonly string[] },
  signal?: AbortSignal,
): Promise<DaySource> {
  const [firstDay, endDay] = [numberOfDay(asked.firstDay), numberOfDay(asked.endDay)];
  const range = { first: monthOfDay(firstDay), end: monthOfDay(endDay - 1) + 1 };
  const closed = await readClosedMonths(archive, asked.clocks, range);
  const plan = planOf(asked, range.first, closed);
  const stored = storedDays(plan, { firstDay, endDay });
  if (stored !== undefined && plan.computed.length === 0) return stored;
  const rows = new DayRows(DAY_FIELDS.filter(({ name }) => asked.fields.includes(name)));
  for await (const { station, days } of computeDays(archive, plan.computed, asked.now, new Pauses(signal))) {
    const date = days.date[0] as number;
    const end = plan.ends.get(station) as number;
    rows.putDays(station, days, Math.max(0, firstDay - date), Math.min(days.date.length, end - date));
  }
  const file = rows.takeFile(COMPUTED);
  if (stored === undefined) return { from: COMPUTED, params: {}, file };
  const { from, params } = stored;
  const columns = ["CAST(station, 'String') AS station", ...rows.names].join(', ');
  return { from: `(SELECT ${columns} FROM ${from} UNION ALL SELECT * FROM ${COMPUTED})`, params, file };
}

type Plan = {
  readonly computed: readonly StationMonths[];
  /** Stations with stored days that count. */
  readonly stored: readonly string[];
  /** The first month that is computed, and the last one that is stored, of any station. */
  readonly firstComputed: number;
  readonly lastStored: number;
  /** For each station the day after the one that is not over. */
  readonly ends: ReadonlyMap<string, number>;
};

function planOf(
  asked: DaysOfClocks,
  firstMonth: number,
  closed: Awaited<ReturnType<typeof readClosedMonths>>,
): Plan {
  const ends = new Map<string, number>();
  const computed: StationMonths[] = [];
  const stored: string[] = [];
  let [firstComputed, lastStored] = [Number.POSITIVE_INFINITY, 0];
  for (const { stations, offsets } of asked.clocks) {
    const { first, end } = reachedDays(asked, offsets);
    const months = first < end ? { first: firstMonth, end: monthOfDay(end - 1) + 1 } : { first: 0, end: 0 };
    for (const station of stations) {
      ends.set(station, end);
      const kept = runsOf([...(closed.get(station) ?? [])].filter((month) => month < months.end));
      if (kept.length > 0) stored.push(station);
      lastStored = Math.max(lastStored, (kept.at(-1)?.end ?? 0) - 1);
      for (const run of subtract([months], kept)) {
        computed.push({ station, offsets, ...run });
        firstComputed = Math.min(firstComputed, run.first);
      }
    }
  }
  return { computed, stored, firstComputed, lastStored, ends };
}

/** The stored days that are not computed as well; undefined if there are none. */
function storedDays(
  { stored, firstComputed, lastStored }: Plan,
  { firstDay, endDay }: { readonly firstDay: number; readonly endDay: number },
): DaySource | undefined {
  if (stored.length === 0) return undefined;
  const end = firstComputed > lastStored ? firstDayOf(lastStored + 1) : endDay;
  const conditions = [
    'station IN {storedStations:Array(String)}',
    'date >= {firstStoredDay:Date32}',
    'date < {endStoredDay:Date32}',
    ...(firstComputed <= lastStored
      ? [`(station, date) NOT IN (SELECT station, date FROM ${COMPUTED})`]
      : []),
  ];
  const params = {
    storedStations: stored,
    firstStoredDay: dayOfNumber(firstDay),
    endStoredDay: dayOfNumber(Math.min(end, endDay)),
  };
  return { from: `days FINAL PREWHERE ${conditions.join(' AND ')}`, params };
}
