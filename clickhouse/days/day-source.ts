import type { Archive } from '../archive.ts';
import { NO_DAYS, numberOfDay, subtract } from '../model/day.ts';
import { Pauses } from '../pauses.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import { computeDays, runsOf } from './compute-days.ts';
import { readClosedMonths } from './day-months.ts';
import { DayRows } from './day-rows.ts';
import { type DaysUntilNow, reachedDays } from './days-until-now.ts';
import { DAY_FIELDS, type DayField, type DaySource, type Days, printedDayValue } from './fields.ts';
import { monthOfDay } from './local-month.ts';
import { byStation } from './reports.ts';

/** Each station belongs to one clock of standard time or UTC, with offsets from two months before the range to two days after. */
export type DaysOfClocks = DaysUntilNow & { readonly clocks: readonly Clock[] };

const COMPUTED = 'computed_days';
const DAYS = readStatement('days/days');

/**
 * The days of stations in a range, up to the one that is not over in the time of the station; those without a report too. Stored
 * days are read where they equal their reports, and all others computed now. Days that lie ahead have no `expected` hours.
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
  const months = { first: monthOfDay(firstDay), end: monthOfDay(endDay - 1) + 1 };
  const closed = await readClosedMonths(archive, asked.clocks, months);
  const lacking = asked.clocks.flatMap(({ stations, offsets }) => {
    const { first, end } = reachedDays(asked, offsets);
    const reached = first < end ? [{ first: months.first, end: monthOfDay(end - 1) + 1 }] : NO_DAYS;
    return stations.flatMap((station) =>
      subtract(reached, runsOf([...(closed.get(station) ?? [])])).map((run) => ({
        station,
        offsets,
        ...run,
      })),
    );
  });
  const stored =
    'days FINAL PREWHERE station IN {storedStations:Array(String)}' +
    ' AND date >= {firstStoredDay:Date32} AND date < {endStoredDay:Date32}';
  const params = {
    storedStations: [...closed.keys()],
    firstStoredDay: asked.firstDay,
    endStoredDay: asked.endDay,
  };
  if (lacking.length === 0 && closed.size > 0) return { from: stored, params };
  const rows = new DayRows(DAY_FIELDS.filter(({ name }) => asked.fields.includes(name)));
  for await (const { station, days } of computeDays(archive, lacking, asked.now, new Pauses(signal))) {
    const date = days.date[0] as number;
    rows.putDays(station, days, Math.max(0, firstDay - date), Math.min(days.date.length, endDay - date));
  }
  const file = rows.takeFile(COMPUTED);
  if (closed.size === 0) return { from: COMPUTED, params: {}, file };
  const columns = ["CAST(station, 'String') AS station", ...rows.names].join(', ');
  const others = `${stored} AND (station, date) NOT IN (SELECT station, date FROM ${COMPUTED})`;
  return { from: `(SELECT ${columns} FROM ${others} UNION ALL SELECT * FROM ${COMPUTED})`, params, file };
}

/** The days of each station in a range, in the order of stations: what `daySource` has, by columns, all in memory at once. */
export async function readDays(
  archive: Archive,
  asked: DaysOfClocks,
  fields: readonly DayField[],
  signal?: AbortSignal,
) {
  const names = fields.map(({ name }) => name);
  const { from, params, file } = await daySource(archive, { ...asked, fields: names }, signal);
  const columns = fields.map(
    (field) => `ifNull(toFloat64(${printedDayValue(field)}), nan) AS _${field.name}`,
  );
  const select = {
    query: fillSql(DAYS, { columns: columns.join(',\n    '), source: from }),
    params,
    ...(file && { file }),
    settings: ONE_THREAD_READ,
  };
  return byStation<Days>(await archive.select(select, signal));
}
