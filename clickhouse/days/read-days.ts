import type { Archive } from '../archive.ts';
import { blocksOf } from '../native-blocks.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type DaysOfClocks, daySource } from './day-source.ts';
import { type DayField, type Days, printedDayValue } from './fields.ts';

const DAYS = readStatement('days/days');

/** More days than one call reads: one block, so that a station is in one. */
const MOST_DAYS = 1_000_000;

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
    settings: { ...ONE_THREAD_READ, max_block_size: String(MOST_DAYS) },
  };
  for (const { rows, numbers, texts } of blocksOf(await archive.select(select, signal))) {
    const stations = texts.get('_station') as readonly string[];
    for (let begin = 0, end = 0; begin < rows; begin = end) {
      while (stations[end] === stations[begin]) end += 1;
      const column = (name: string) => [name, numbers.get(`_${name}`)?.values.subarray(begin, end)];
      const days = Object.fromEntries([...names, 'date', 'n', 'expected'].map(column)) as Days;
      yield { station: stations[begin] as string, days };
    }
  }
}
