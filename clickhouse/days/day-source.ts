import type { Archive } from '../archive.ts';
import { dayOfNumber, subtract } from '../model/day.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import { computeDays, runsOf } from './compute-days.ts';
import { readClosedMonths } from './day-months.ts';
import { type DaysUntilNow, reachedDays } from './days-until-now.ts';
import { DAY_FIELDS, type DayField, type Days, dayRows } from './fields.ts';
import { monthsOfDays } from './local-month.ts';
import { byStation } from './reports.ts';

/** Days of stations, up to the present. */
export type DaysAsked = DaysUntilNow & {
  readonly archive: Archive;
  /** Clocks of standard time or UTC, with offsets from two months before the range to two days after; one for each station. */
  readonly clocks: readonly Clock[];
  /** Ends the work, between months too, with its reason. */
  readonly signal?: AbortSignal | undefined;
};

export type RecordSource = Awaited<ReturnType<typeof daySource>>;

const COMPUTED = 'computed_days';
const DAYS = readStatement('days/days');

/**
 * The days of stations in a range, up to the present day in the time of each station, including days without a report. Stored
 * days are read if they equal their reports; all others are computed now. Days in the future have no `expected` hours.
 * `station` is a text, `date` a Date32, `n` and `expected` are Int32, and the fields have the types of `DAY_FIELDS`.
 *
 * @param fields those that the statement names
 * @returns what follows FROM in a statement, with the parameters and the file that it needs
 */
export async function daySource(asked: DaysAsked, fields: readonly string[]) {
  const { archive, clocks, first, end, now, signal } = asked;
  const closed = await readClosedMonths(archive, clocks, monthsOfDays(asked));
  const lackingOf = (station: string, offsets: readonly Offset[]) =>
    subtract([monthsOfDays(reachedDays(asked, offsets))], runsOf([...(closed.get(station) ?? [])]));
  const rows = dayRows(DAY_FIELDS.filter(({ name }) => fields.includes(name)));
  for await (const { station, days } of computeDays(archive, clocks, lackingOf, now, signal)) {
    const date = days.date[0] as number;
    rows.put(station, days, Math.max(0, first - date), Math.min(days.date.length, end - date));
  }
  const stored =
    'days FINAL PREWHERE station IN {storedStations:Array(String)}' +
    ' AND date >= {firstStoredDay:Date32} AND date < {endStoredDay:Date32}';
  const params = {
    storedStations: [...closed.keys()],
    firstStoredDay: dayOfNumber(first),
    endStoredDay: dayOfNumber(end),
  };
  if (rows.count === 0 && closed.size > 0) return { from: stored, params };
  const file = rows.takeFile(COMPUTED);
  if (closed.size === 0) return { from: COMPUTED, params: {}, file };
  const columns = ["CAST(station, 'String') AS station", ...rows.names.slice(1)].join(', ');
  const others = `${stored} AND (station, date) NOT IN (SELECT station, date FROM ${COMPUTED})`;
  return { from: `(SELECT ${columns} FROM ${others} UNION ALL SELECT * FROM ${COMPUTED})`, params, file };
}

/** The days of each station in a range, in the order of stations: what `daySource` has, by columns, all in memory at once. */
export async function readDays(asked: DaysAsked, fields: readonly DayField[]) {
  const names = fields.map(({ name }) => name);
  const { from, params, file } = await daySource(asked, names);
  const columns = fields.map(({ name, sql }) => `ifNull(toFloat64(${sql}), nan) AS _${name}`);
  const select = {
    query: fillSql(DAYS, { columns: columns.join(',\n    '), source: from }),
    params,
    ...(file && { file }),
    settings: ONE_THREAD_READ,
  };
  return byStation<Days>(await asked.archive.select(select, asked.signal));
}
