import { comparisonSql, fieldOf } from '../conditions/condition.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { Calendar } from './calendar.ts';
import { ABSENT, type Cell, type Column, valueSql } from './column.ts';
import { type CalendarUnit, type Group, groupName } from './question.ts';

/** A column of an answer by which reports are grouped. */
export type GroupColumn = Column & {
  /** Over a report, with its local times `local` and `localHour`. */
  readonly sql: string;
};

export function calendarUnits(groups: readonly Group[]): readonly CalendarUnit[] {
  return groups.flatMap((group) => (group.kind === 'calendar' ? [group.unit] : []));
}

/** Whether each group is of one day. */
export function isOfOneDay(groups: readonly Group[]): boolean {
  return calendarUnits(groups).includes('date');
}

/** Whether each group has whole days. */
export function isOfDays(groups: readonly Group[]): boolean {
  return groups.every((group) => group.kind === 'calendar' && group.unit !== 'hour');
}

export function groupColumns(groups: readonly Group[], parameters: SqlParameters): readonly GroupColumn[] {
  const calendar = new Calendar(calendarUnits(groups));
  return groups.map((group) => ({ name: groupName(group), ...columnOf(group, calendar, parameters) }));
}

function columnOf(group: Group, calendar: Calendar, parameters: SqlParameters): Omit<GroupColumn, 'name'> {
  switch (group.kind) {
    case 'calendar':
      return calendar.columnOf(group.unit);
    case 'sector':
      return { sql: sectorSql(group.sectors, group.calm ?? 0), type: 'Nullable(String)', print: printCode };
    case 'class':
      return {
        sql: classSql(group.field, group.bounds, parameters),
        type: 'Nullable(Int32)',
        print: printCode,
      };
    case 'choice':
      return { sql: valueSql(group.field), type: 'Nullable(String)' };
  }
}

/** Codes beside those of sectors and classes; sorted last. As a NULL, the last one would make groups a third slower. */
const [CALM, VARIABLE, UNKNOWN] = [200, 201, 255];

const PRINTED: Readonly<Record<string, Cell>> = { [CALM]: 'calm', [VARIABLE]: 'variable', [UNKNOWN]: ABSENT };

function printCode(code: Cell): Cell {
  return PRINTED[code] ?? code;
}

/** Calm up to a speed, whatever the direction. Sector 0 is centered on north. */
function sectorSql(sectors: number, calm: number): string {
  const [direction, isVariable, speed] = ['wdir', 'wdir_vrb', 'wspd_kt'].map(valueSql);
  const width = 360 / sectors;
  const sector = `toUInt8((toFloat64(assumeNotNull(${direction})) + ${width / 2}) / ${width}) % ${sectors}`;
  return `multiIf(${speed} <= ${calm}, ${CALM}, ${isVariable}, ${VARIABLE}, isNull(${direction}), ${UNKNOWN}, ${sector})`;
}

/** How many bounds the value has reached; unknown where it is marked (D79) and may lie on either side of the first or last. */
function classSql(field: string, bounds: readonly number[], parameters: SqlParameters): string {
  const below = bounds.map((value) => comparisonSql(fieldOf(field), { operator: '<', value }, parameters));
  const isUnknown = `isNull(${below[0]}) OR isNull(${below.at(-1)})`;
  const classes = below.map((isBelow, reached) => `${isBelow}, ${reached}`).join(', ');
  return `toUInt8(multiIf(${isUnknown}, ${UNKNOWN}, ${classes}, ${bounds.length}))`;
}

/** The order of the engine: absent values are last. */
export function compareCells(groups: readonly Group[]) {
  const ranks = groups.map((group) => {
    const values = group.kind === 'choice' ? fieldOf(group.field).values : undefined;
    const rank = (cell: Cell | undefined) =>
      values?.kind === 'choice' ? values.choices.indexOf(cell as Cell) : Number(cell);
    return (cell: Cell | undefined) => (cell === ABSENT ? Number.POSITIVE_INFINITY : rank(cell));
  });
  return (one: readonly Cell[], other: readonly Cell[]): number => {
    const [a, b] = [one, other].map((cells) => ranks.map((rank, at) => rank(cells[at]))) as [
      number[],
      number[],
    ];
    const at = a.findIndex((rank, n) => rank !== b[n]);
    return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
  };
}
