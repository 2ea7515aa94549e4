import type { Report } from '../../../clickhouse/model/report.ts';
import { type Group, groupNames } from '../../../clickhouse/statistics/question.ts';
import { judge, valueOfField } from '../conditions/judge.ts';

/** Where a report belongs, by the groups of a question (D45). */

/** The value of a group as it is sorted; `printedKey` prints it. */
export type Key = string | number | undefined;

/** A time and its nominal hour, by the clocks of a station: their UTC members are local. */
export type LocalTimes = { readonly local: Date; readonly localHour: Date };

const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'];
const CATEGORIES = ['VFR', 'MVFR', 'IFR', 'LIFR'];

const isUnit = (group: Group, unit: string) => group.kind === 'calendar' && group.unit === unit;

export function calendarValue(unit: string, { local, localHour }: LocalTimes, groups: readonly Group[]): Key {
  const month = local.getUTCMonth();
  const hasSeason = groups.some((group) => isUnit(group, 'season'));
  switch (unit) {
    case 'year':
      return local.getUTCFullYear() + (hasSeason && month === 11 ? 1 : 0);
    case 'season':
      return Math.floor(((month + 1) % 12) / 3);
    case 'month':
      return month + 1;
    case 'date':
      return local.toISOString().slice(0, 10);
    default:
      return localHour.getUTCHours();
  }
}

export function groupValue(group: Group, report: Report, times: LocalTimes, groups: readonly Group[]): Key {
  switch (group.kind) {
    case 'calendar':
      return calendarValue(group.unit, times, groups);
    case 'choice':
      return valueOfField(group.field, report) as Key;
    case 'class': {
      const reached = group.bounds.map((value) =>
        judge({ kind: 'compare', field: group.field, operator: '>=', value }, report),
      );
      return reached.includes(null) ? undefined : reached.filter((isReached) => isReached).length;
    }
    case 'sector': {
      const [speed, direction] = [valueOfField('wspd_kt', report), valueOfField('wdir', report)];
      if (typeof speed === 'number' && speed <= (group.calm ?? 0)) return 'calm';
      if (valueOfField('wdir_vrb', report) === true) return 'variable';
      if (direction === undefined) return undefined;
      const width = 360 / group.sectors;
      return Math.floor(((Number(direction) + width / 2) % 360) / width);
    }
  }
}

/** The columns of a group: of a sector also its middle in degrees. */
export function printedKeys(group: Group, key: Key): readonly (readonly [name: string, key: Key])[] {
  const [name = '', ofDegrees = ''] = groupNames(group);
  if (group.kind === 'calendar' && group.unit === 'season') return [[name, SEASONS[key as number]]];
  if (group.kind !== 'sector' || key === undefined) return [[name, key]];
  return [
    [name, String(key)],
    [ofDegrees, typeof key === 'number' ? (key * 360) / group.sectors : undefined],
  ];
}

export function byKeys(groups: readonly Group[]) {
  const rank = (group: Group, key: Key): number | string => {
    if (key === undefined) return Number.POSITIVE_INFINITY;
    if (key === 'calm' || key === 'variable') return key === 'calm' ? 1000 : 1001;
    return group.kind === 'choice' ? CATEGORIES.indexOf(String(key)) : key;
  };
  return (one: { readonly keys: readonly Key[] }, other: { readonly keys: readonly Key[] }): number => {
    for (const [n, group] of groups.entries()) {
      const [a, b] = [rank(group, one.keys[n]), rank(group, other.keys[n])];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
}
