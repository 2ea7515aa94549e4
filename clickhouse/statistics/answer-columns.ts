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

function valueColumn({ name, alias, type }: ValueColumn): AnswerColumn {
  if (type === 'count') return plain(name, `ifNull(${alias}, 0)`, 'number');
  if (type === 'amount')
    return plain(name, `if(isNull(${alias}) AND n > 0, ${OF_STATION(alias)}, ${alias})`, 'number');
  if (type === 'number') return plain(name, alias, 'number');
  return {
    name,
    sql: `toDateTime64(${alias}, 3, 'UTC')`,
    text: `toDateTime(${alias}, 'UTC')`,
    json: `formatDateTime(toDateTime(${alias}, 'UTC'), '"%Y-%m-%dT%H:%i:%SZ"')`,
  };
}

/** 0 where any group of the station has an amount, else NULL. */
const OF_STATION = (alias: string) => `if(count(${alias}) OVER (PARTITION BY station) > 0, 0, NULL)`;

/** An object without the values that are absent. The station is always there, and first. */
function jsonLine(columns: readonly AnswerColumn[]): string {
  const members = columns.map(
    ({ json }, n) => `ifNull(concat('${n === 0 ? '{' : ','}"', {name${n}:String}, '":', ${json}), '')`,
  );
  return `concat(${members.join(', ')}, '}')`;
}
