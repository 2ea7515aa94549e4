import { buffer } from 'node:stream/consumers';
import type { Archive } from '../archive.ts';
import { openGrid } from '../grid-rows.ts';
import { recordsOfLines } from '../observations/records.ts';
import type { RowFormat } from '../observations/stream/output-formats.ts';
import type { RowColumn } from '../statements/print-rows.ts';
import { readStatement } from '../statements/sql.ts';
import type { Question } from '../statistics/question.ts';
import { groupedStatement, type StatisticRows } from '../statistics/values.ts';
import type { Clock } from '../zones/clocks.ts';
import { readDaysUntilNow } from './days-until-now.ts';
import type { DayField } from './fields.ts';
import { DAYS_OF_WINDOW, type RecordStatement, recordRows } from './read-records.ts';
import { DAILY, DAY_COLUMNS } from './records.ts';

const STATISTICS = readStatement('records/statistics');

/**
 * The answer to a question about days in a format, as the engine prints it; of JSON the elements of `data`, with commas between
 * them.
 *
 * @param question its range is of days, given as midnights in UTC with the same dates
 */
export async function readDayStatistics(
  archive: Archive,
  question: Question,
  clocks: readonly Clock[],
  { format, signal }: { readonly format: RowFormat; readonly signal?: AbortSignal },
): Promise<Buffer> {
  const asked = { ...(await readDaysUntilNow(archive, question)), archive, clocks, signal };
  const statement = statementOf(question);
  const ofAll = { ...asked, table: DAILY, fields: [], limit: Number.POSITIVE_INFINITY };
  const days = recordRows(ofAll, () => statement);
  // The days of a station are in one window.
  const stream = Math.max(DAYS_OF_WINDOW, asked.end - asked.first);
  const rows = { ...days, windowRows: { page: stream, stream } };
  const all = { firstRow: 0, endRow: days.grid.size };
  const bytes = await buffer(await openGrid(rows, format === 'json' ? 'ndjson' : format, all));
  return format === 'json' ? recordsOfLines(bytes).bytes : bytes;
}

const DAY_ROWS: StatisticRows = {
  field: numberFieldOf,
  conditionFields: DAILY.conditionFields,
  counted: () => 'isKept',
  time: 'toUInt32(toInt32(date))',
  printTime: (number) => `toDate32(${number})`,
  timeType: 'Nullable(Date32)',
};

function statementOf(question: Question): RecordStatement {
  const { columns, selected, keys, meets, params } = groupedStatement(question, DAY_ROWS, '_station');
  return {
    template: STATISTICS,
    clauses: {
      andMeets: meets === undefined ? '' : `AND ifNull(${meets}, 0)`,
      selected,
      keys: ['_station', ...keys].join(', '),
    },
    columns,
    params,
  };
}

function numberFieldOf(name: string) {
  const { stored = name, conversion, kind } = DAY_COLUMNS.get(name) as RowColumn & Pick<DayField, 'kind'>;
  const type = kind === 'Temperature' ? 'Temperature' : 'Float64';
  return { stored: { sql: stored, type }, conversion } as const;
}
