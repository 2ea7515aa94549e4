import type { StreamFormat } from '../observations/stream/output-formats.ts';
import type { GroupColumn } from './group-columns.ts';
import type { ValueColumn } from './value-columns.ts';

/** A line of `json` is an element of `data`. */
export type AnswerFormat = 'json' | StreamFormat;

/** A column of the answer: its value over one row of the joined tables, and how JSON and other formats print it. */
type AnswerColumn = {
  readonly name: string;
  readonly sql: string;
  readonly json: string;
  readonly text: string;
};

type AnswerColumns = {
  printed(format: AnswerFormat): readonly string[];
  /** The names of columns are text of clients: they are parameters. */
  readonly parameters: Readonly<Record<string, string>>;
};

export function answerColumns(groups: readonly GroupColumn[], values: readonly ValueColumn[]): AnswerColumns {
  const columns: readonly AnswerColumn[] = [
    plain('station', "CAST(station, 'String')", 'text'),
    ...groups.map(({ name, print, type }) => plain(name, print, type)),
    plain('n', 'ifNull(n, 0)', 'number'),
    plain('expected', 'ifNull(expected, 0)', 'number'),
    ...values.map(valueColumn),
  ];
  return {
    printed(format) {
      if (format === 'json' || format === 'ndjson') return [jsonLine(columns)];
      return columns.map(({ sql, text }, n) => `${format === 'csv' ? text : sql} AS {name${n}:Identifier}`);
    },
    parameters: Object.fromEntries(columns.map(({ name }, n) => [`name${n}`, name])),
  };
}

function plain(name: string, sql: string, type: 'text' | 'date' | 'number'): AnswerColumn {
  return { name, sql, text: sql, json: type === 'number' ? `toString(${sql})` : `toJSONString(${sql})` };
}

function valueColumn(value: ValueColumn): AnswerColumn {
  const { name, alias, type } = value;
  if (type !== 'time') return plain(name, printedValue(value), 'number');
  return {
    name,
    sql: `toDateTime64(${alias}, 3, 'UTC')`,
    text: `toDateTime(${alias}, 'UTC')`,
    json: `formatDateTime(toDateTime(${alias}, 'UTC'), '"%Y-%m-%dT%H:%i:%SZ"')`,
  };
}

/** The value of a group that is printed, over the rows of all groups. */
export function printedValue({ alias, type }: ValueColumn): string {
  if (type === 'count') return `ifNull(${alias}, 0)`;
  if (type !== 'amount') return alias;
  // 0 where another group of the station has an amount.
  return `if(isNull(${alias}) AND n > 0, if(count(${alias}) OVER (PARTITION BY station) > 0, 0, NULL), ${alias})`;
}

/** An object without the values that are absent. The station is always there, and first. */
function jsonLine(columns: readonly AnswerColumn[]): string {
  const members = columns.map(
    ({ json }, n) => `ifNull(concat('${n === 0 ? '{' : ','}"', {name${n}:String}, '":', ${json}), '')`,
  );
  return `concat(${members.join(', ')}, '}')`;
}
