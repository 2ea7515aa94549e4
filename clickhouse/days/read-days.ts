import type { Archive } from '../archive.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type DaysOfClocks, daySource } from './day-source.ts';
import { type DayField, type Days, printedDayValue } from './fields.ts';
import { byStation } from './reports.ts';

const DAYS = readStatement('days/days');

/** The days of each station in a range, in the order of stations: what `daySource` has, by columns, all in memory at once. */
export async function* readDays(
  archive: Archive,
  asked: DaysOfClocks,
  fields: readonly DayField[],
  signal?: AbortSignal,
): AsyncGenerator<{ readonly station: string; readonly days: Days }> {
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
  for (const [station, days] of byStation<Days>(await archive.select(select, signal)))
    yield { station: station as string, days };
}
