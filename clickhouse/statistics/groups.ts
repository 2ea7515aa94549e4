import { comparisonSql } from '../conditions/condition.ts';
import { fieldOf } from '../conditions/fields.ts';
import type { ColumnType, RowColumn } from '../statements/print-rows.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { type CalendarUnit, type Group, groupNames } from './question.ts';

export type GroupColumn = {
  /** SQL over a report, its `local` time and the `localHour` of its nominal hour: the key by which groups are made and sorted. */
  readonly sql: string;
  /** What the answer has of the key, which is `_group0` of the first group. */
  readonly printed: readonly RowColumn[];
  /** The type of the key, for groups of the calendar only. */
  readonly keyType?: 'UInt8' | 'UInt16' | 'UInt32';
};

export const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'] as const;

type Unit = Required<Pick<GroupColumn, 'sql' | 'keyType'>> & {
  readonly type: ColumnType;
  /** SQL over the key; the key itself if it is absent. */
  readonly print?: (key: string) => string;
};

const UNITS: Readonly<Record<CalendarUnit, Unit>> = {
  year: { sql: 'toYear(local)', keyType: 'UInt16', type: 'Int32' },
  season: {
    sql: 'intDiv(toMonth(local) % 12, 3)',
    keyType: 'UInt8',
    type: 'String',
    print: (key) => `['${SEASONS.join("', '")}'][${key} + 1]`,
  },
  month: { sql: 'toMonth(local)', keyType: 'UInt8', type: 'Int32' },
  date: {
    sql: 'intDiv(toUInt32(local), 86400)',
    keyType: 'UInt32',
    type: 'Date32',
    print: (key) => `toDate32(${key})`,
  },
  hour: { sql: 'toHour(localHour)', keyType: 'UInt8', type: 'Int32' },
};
/** The year of a season is that of its January: December belongs to the next one. */
const YEAR_OF_SEASON = 'toYear(addMonths(local, 1))';

export function calendarUnits(groups: readonly Group[]): readonly CalendarUnit[] {
  return groups.flatMap((group) => (group.kind === 'calendar' ? [group.unit] : []));
}

export function groupColumns(groups: readonly Group[], parameters: SqlParameters): readonly GroupColumn[] {
  const units = calendarUnits(groups);
  return groups.map((group, n): GroupColumn => {
    const key = `_group${n}`;
    const [name = '', ofDegrees = ''] = groupNames(group);
    switch (group.kind) {
      case 'calendar': {
        const { sql, keyType, type, print } = UNITS[group.unit];
        const printed = [{ name, sql: print?.(key) ?? key, type }];
        const ofSeasons = group.unit === 'year' && units.includes('season');
        return { sql: ofSeasons ? YEAR_OF_SEASON : sql, keyType, printed };
      }
      case 'sector': {
        const degrees = `if(${key} < ${CALM}, ${key} * ${360 / group.sectors}, NULL)`;
        return {
          sql: sectorSql(group.sectors, group.calm ?? 0),
          printed: [
            { name, sql: printSector(key), type: 'Nullable(String)' },
            { name: ofDegrees, sql: degrees, type: 'Nullable(Float64)' },
          ],
        };
      }
      case 'class':
        return {
          sql: classSql(group.field, group.bounds, parameters),
          printed: [{ name, sql: `nullIf(${key}, ${UNKNOWN})`, type: 'Nullable(Int32)' }],
        };
    }
    return { sql: fieldOf(group.field).sql, printed: [{ name, sql: key, type: 'Nullable(String)' }] };
  });
}

/** Codes above those of sectors and classes, so they are sorted last. NULL in place of UNKNOWN would make groups a third slower. */
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

/** SQL: how many bounds the value has reached; UNKNOWN if it is marked (D79) and may lie on either side of the first or last. */
function classSql(name: string, bounds: readonly number[], parameters: SqlParameters): string {
  const { marks, near: _, ...field } = fieldOf(name);
  const compare = (operator: '<' | '>', value: number) =>
    comparisonSql(field, { operator, value }, parameters);
  const below = bounds.map((bound) => compare('<', bound));
  const unknown = [`isNull(${field.comparableSql})`];
  if (marks !== undefined) unknown.push(`${marks.more} AND ${below.at(-1)}`);
  if (marks?.less !== undefined) {
    unknown.push(`${marks.less} AND ${compare('>', bounds[0] as number)}`);
    below[0] = `${marks.less} OR ${below[0]}`;
  }
  const classes = below.map((isBelow, reached) => `${isBelow}, ${reached}`).join(', ');
  return `toUInt8(multiIf(${unknown.join(' OR ')}, ${UNKNOWN}, ${classes}, ${bounds.length}))`;
}
