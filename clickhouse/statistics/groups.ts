import type { SqlParameters } from '../statements/sql.ts';
import { Calendar } from './calendar.ts';
import { type Cell, type Column, comparableSql, valueSql } from './column.ts';
import { type CalendarUnit, type Group, groupName } from './question.ts';

export function calendarUnits(groups: readonly Group[]): readonly CalendarUnit[] {
  return groups.flatMap((group) => (group.kind === 'calendar' ? [group.unit] : []));
}

/** Whether each group is of one day. */
export function isOfOneDay(groups: readonly Group[]): boolean {
  return calendarUnits(groups).includes('date');
}

/** The columns of the answer by which reports are grouped. */
export function groupColumns(groups: readonly Group[], parameters: SqlParameters): readonly Column[] {
  const calendar = new Calendar(calendarUnits(groups));
  return groups.map((group) => ({ name: groupName(group), ...columnOf(group, calendar, parameters) }));
}

function columnOf(group: Group, calendar: Calendar, parameters: SqlParameters): Omit<Column, 'name'> {
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
