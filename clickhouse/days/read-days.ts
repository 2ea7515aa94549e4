import type { Archive } from '../archive.ts';
import { inGroups } from '../group-by.ts';
import { type DayRange, daysBetween } from '../model/day.ts';
import { blocksOf } from '../native-blocks.ts';
import { LONG_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import { daySource } from './day-source.ts';
import { DAY_FIELDS, type DayFieldName, type Days, printedDayValue } from './fields.ts';

const DAYS = readStatement('days/days');

/** Days of all stations together that are in memory at once. */
const DAYS_AT_ONCE = 25 * 366;

const COLUMNS = DAY_FIELDS.map(
  (field) => `ifNull(toFloat64(${printedDayValue(field)}), nan) AS _${field.name}`,
);

/**
 * The days of each station in a range, in the order of stations: what `daySource` has, by columns.
 *
 * @param clocks each station belongs to one
 */
export async function* readDays(
  archive: Archive,
  { clocks, ...range }: DayRange & { readonly clocks: readonly Clock[] },
  signal?: AbortSignal,
): AsyncGenerator<{ readonly station: string; readonly days: Days }> {
  const all = clocks
    .flatMap(({ stations, offsets }) => stations.map((station) => ({ station, offsets })))
    .toSorted((one, other) => (one.station < other.station ? -1 : 1));
  const atOnce = Math.max(
    1,
    Math.floor(DAYS_AT_ONCE / Math.max(1, daysBetween(range.firstDay, range.endDay))),
  );
  for (const group of inGroups(all, atOnce)) {
    const own = group.map(({ station, offsets }) => ({ stations: [station], offsets }));
    const { from, params, file } = await daySource(archive, { ...range, clocks: own }, signal);
    const select = {
      query: fillSql(DAYS, { columns: COLUMNS.join(',\n    '), source: from }),
      params,
      ...(file && { file }),
      // One block, so that a station is in one.
      settings: { ...LONG_READ, max_threads: 1, max_block_size: String(2 * DAYS_AT_ONCE) },
    };
    for (const { rows, numbers, texts } of blocksOf(await archive.select(select, signal))) {
      const stations = texts.get('_station') as readonly string[];
      const column = (name: string) => numbers.get(`_${name}`)?.values;
      for (let begin = 0, end = 0; begin < rows; begin = end) {
        while (stations[end] === stations[begin]) end += 1;
        const of = (name: string) => column(name)?.subarray(begin, end);
        yield {
          station: stations[begin] as string,
          days: {
            ...(Object.fromEntries(DAY_FIELDS.map(({ name }) => [name, of(name)])) as Record<
              DayFieldName,
              Float64Array
            >),
            date: of('date') as Int32Array,
            n: of('n') as Int32Array,
            expected: of('expected') as Int32Array,
          },
        };
      }
    }
  }
}
