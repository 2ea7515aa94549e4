import { type Condition, conditionSql, fieldOf } from '../conditions/condition.ts';
import { doubleOf, FIELD_COLUMNS } from '../model/field-columns.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { type CalendarUnit, type Group, groupName } from './question.ts';

/**
 * The columns that a question needs of each report, each computed once, over one row of `observations`. They are computed
 * before the highest version is chosen, so they should be small: every row carries them through the steps that choose
 * reports. Numbers are carried as they are stored (`numberOf`).
 */
export class RowColumns {
  readonly parameters: SqlParameters;
  readonly #names = new Map<string, string>();
  readonly #conditions = new Map<Condition, string>();

  constructor(parameters: SqlParameters) {
    this.parameters = parameters;
  }

  /** The column with this value. */
  add(sql: string): string {
    const name = this.#names.get(sql) ?? `column${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }

  /** 1 where the condition holds, 0 where it does not, NULL where it cannot be judged. */
  addCondition(condition: Condition): string {
    const name =
      this.#conditions.get(condition) ?? this.add(`toNullable(${conditionSql(condition, this.parameters)})`);
    this.#conditions.set(condition, name);
    return name;
  }

  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  /** As elements of a SELECT. */
  get definitions(): readonly string[] {
    return [...this.#names].map(([sql, name]) => `${sql} AS ${name}`);
  }
}

/** The value of the record; NULL where the report does not give it. */
export function valueSql(field: string): string {
  return fieldOf(field).sql;
}

/** The number that a condition compares (D43). */
function comparableSql(field: string): string {
  return orderedNumber(field, fieldOf(field).comparableSql);
}

/** The number that the record prints, over a row of the sample. A stored number has 1 to 4 bytes, a double 8. */
export function numberOf(field: string, columns: RowColumns): string {
  return toDouble(field, columns.add(valueSql(field)));
}

/** The same as a value that has an order: -0 is below 0. */
export function orderedNumber(field: string, sql: string): string {
  return isTemperature(field) ? `toFloat64(${sql})` : toDouble(field, sql);
}

export function isTemperature(field: string): boolean {
  return FIELD_COLUMNS.get(field)?.type === 'Temperature';
}

function toDouble(field: string, sql: string): string {
  const column = FIELD_COLUMNS.get(field);
  if (column === undefined || fieldOf(field).values.kind !== 'number')
    throw new Error(`${field} is not a number`);
  return doubleOf(column, sql);
}

/** A column of the answer by which reports are grouped. */
export type GroupColumn = {
  /** In the answer. */
  readonly name: string;
  /** In the statement, unlike any name of a client. Its values sort as the answer does. */
  readonly alias: string;
  /** Over one row of a sample, with its time `local`, and that of its nominal hour, `localHour`. */
  readonly sql: string;
  /** What is printed for a value of the column. */
  readonly print: string;
  readonly type: 'whole' | 'text' | 'date';
  readonly isCalendar: boolean;
};

/** Numbers of sectors that are none; they come last. */
const CALM = 200;
const VARIABLE = 201;

export function groupColumns(groups: readonly Group[], columns: RowColumns): readonly GroupColumn[] {
  const hasSeason = groups.some((group) => group.kind === 'calendar' && group.unit === 'season');
  return groups.map((group, n) => {
    const alias = `_group${n}`;
    const isCalendar = group.kind === 'calendar';
    const column = isCalendar
      ? calendarColumn(group.unit, alias, hasSeason)
      : reportColumn(group, alias, columns);
    return { name: groupName(group), alias, isCalendar, ...column };
  });
}

type Column = Pick<GroupColumn, 'sql' | 'print' | 'type'>;

function reportColumn(
  group: Exclude<Group, { readonly kind: 'calendar' }>,
  alias: string,
  columns: RowColumns,
): Column {
  switch (group.kind) {
    case 'sector': {
      const print = `multiIf(${alias} = ${CALM}, 'calm', ${alias} = ${VARIABLE}, 'variable', toString(${alias}))`;
      return { sql: columns.add(sectorSql(group.sectors)), print, type: 'text' };
    }
    case 'class':
      return { sql: columns.add(classSql(group.field, group.bounds, columns)), print: alias, type: 'whole' };
    case 'choice':
      return {
        sql: columns.add(valueSql(group.field)),
        print: `CAST(${alias}, 'Nullable(String)')`,
        type: 'text',
      };
  }
}

/** The year of a season is that of its January: December belongs to the next one. */
function calendarColumn(unit: CalendarUnit, alias: string, hasSeason: boolean): Column {
  switch (unit) {
    case 'year':
      return {
        sql: hasSeason ? 'toYear(addMonths(local, 1))' : 'toYear(local)',
        print: alias,
        type: 'whole',
      };
    case 'season':
      return {
        sql: 'intDiv(toMonth(local) % 12, 3)',
        print: `arrayElement(['DJF', 'MAM', 'JJA', 'SON'], ${alias} + 1)`,
        type: 'text',
      };
    case 'month':
      return { sql: 'toMonth(local)', print: alias, type: 'whole' };
    case 'date':
      return { sql: 'toDate32(local)', print: alias, type: 'date' };
    case 'hour':
      return { sql: 'toHour(localHour)', print: alias, type: 'whole' };
  }
}

/** Calm where the speed is 0, whatever the direction; NULL where the wind is not reported. 0 is centered on north. */
function sectorSql(sectors: number): string {
  const [direction, isVariable, speed] = ['wdir', 'wdir_vrb', 'wspd_kt'].map(valueSql);
  const width = 360 / sectors;
  const sector = `toUInt8(floor((toFloat64(${direction}) + ${width / 2}) % 360 / ${width}))`;
  return `multiIf(${speed} = 0, ${CALM}, ${isVariable}, ${VARIABLE}, ${sector})`;
}

function classSql(field: string, bounds: readonly number[], columns: RowColumns): string {
  const value = comparableSql(field);
  const list = columns.parameters.add('Array(Float64)', bounds);
  return `if(isNull(${value}), NULL, toUInt8(arrayCount(bound -> ${value} >= bound, ${list})))`;
}
