import { comparisonSql } from '../conditions/condition.ts';
import { fieldOf } from '../conditions/fields.ts';
import type { RowColumn } from '../statements/print-rows.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { calendarColumn, type GroupColumn } from './calendar.ts';
import { type CalendarUnit, type Group, groupNames } from './question.ts';

/** The columns of groups whose keys are `_group0`, `_group1` and so on. */
export function printGroups(groups: readonly Group[], columns: readonly GroupColumn[]): readonly RowColumn[] {
  return columns.flatMap(({ print, type, printDegrees }, n) => {
    const [name = '', ofDegrees = ''] = groupNames(groups[n] as Group);
    const key = `_group${n}`;
    const column = { name, sql: print(key), type };
    if (printDegrees === undefined) return [column];
    return [column, { name: ofDegrees, sql: printDegrees(key), type: 'Nullable(Float64)' }];
  });
}

export function calendarUnits(groups: readonly Group[]): readonly CalendarUnit[] {
  return groups.flatMap((group) => (group.kind === 'calendar' ? [group.unit] : []));
}

export function groupColumns(groups: readonly Group[], parameters: SqlParameters): readonly GroupColumn[] {
  const units = calendarUnits(groups);
  return groups.map((group) => columnOf(group, units, parameters));
}

function columnOf(group: Group, units: readonly CalendarUnit[], parameters: SqlParameters): GroupColumn {
  switch (group.kind) {
    case 'calendar':
      return calendarColumn(group.unit, units);
    case 'sector':
      return {
        sql: sectorSql(group.sectors, group.calm ?? 0),
        print: printSector,
        type: 'Nullable(String)',
        printDegrees: (code) => `if(${code} < ${CALM}, ${code} * ${360 / group.sectors}, NULL)`,
      };
    case 'class':
      return {
        sql: classSql(group.field, group.bounds, parameters),
        print: (code) => `nullIf(${code}, ${UNKNOWN})`,
        type: 'Nullable(Int32)',
      };
    case 'choice':
      return { sql: fieldOf(group.field).sql, print: (sql) => sql, type: 'Nullable(String)' };
  }
}

/** Codes beside those of sectors and classes; sorted last. As a NULL, the last one would make groups a third slower. */
const [CALM, VARIABLE, UNKNOWN] = [200, 201, 255];

function printSector(code: string): string {
  return `multiIf(${code} = ${CALM}, 'calm', ${code} = ${VARIABLE}, 'variable', ${code} = ${UNKNOWN}, NULL, toString(${code}))`;
}

/** Calm up to a speed, whatever the direction. Sector 0 is centered on north. */
function sectorSql(sectors: number, calm: number): string {
  const [direction, isVariable, speed] = ['wdir', 'wdir_vrb', 'wspd_kt'].map((name) => fieldOf(name).sql);
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
