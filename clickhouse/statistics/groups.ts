import { fieldOf } from '../conditions/condition.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { Calendar } from './calendar.ts';
import { ABSENT, type Cell, type Column, comparableSql, valueSql } from './column.ts';
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
      return { sql: sectorSql(group.sectors, group.calm ?? 0), type: 'Nullable(String)', print: printSector };
    case 'class':
      return { sql: classSql(group.field, group.bounds, parameters), type: 'Nullable(Int32)' };
    case 'choice':
      return { sql: valueSql(group.field), type: 'Nullable(String)' };
  }
}

/** Codes for "calm" and "variable", which are not sectors; sorted last. */
const CALM = 200;
const VARIABLE = 201;

/** Calm up to a speed, whatever the direction; NULL where the wind is not reported. 0 is centered on north. */
function sectorSql(sectors: number, calm: number): string {
  const [direction, isVariable, speed] = ['wdir', 'wdir_vrb', 'wspd_kt'].map(valueSql);
  const width = 360 / sectors;
  const sector = `toUInt8(floor((toFloat64(${direction}) + ${width / 2}) % 360 / ${width}))`;
  return `multiIf(${speed} <= ${calm}, ${CALM}, ${isVariable}, ${VARIABLE}, ${sector})`;
}

function printSector(sector: Cell): Cell {
  if (sector === `${CALM}`) return 'calm';
  return sector === `${VARIABLE}` ? 'variable' : sector;
}

function classSql(field: string, bounds: readonly number[], parameters: SqlParameters): string {
  const value = comparableSql(field);
  const list = parameters.add('Array(Float64)', bounds);
  return `if(isNull(${value}), NULL, toUInt8(arrayCount(bound -> ${value} >= bound, ${list})))`;
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
