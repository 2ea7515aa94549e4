import type { Day } from '../../clickhouse/model/day.ts';
import { demo } from '../../loader/sources/demo/demo.ts';

/**
 * Stations whose reports of 2024 come from the demo source. Every other report of an archive is a copy of one of these,
 * at another time and station.
 */
export const TEMPLATES = stationCodes(0, 24);

const source = demo();
const perDay = new Map<string, number>();

/** XAAA, XAAB, … as the demo source numbers its stations. */
export function stationCode(number: number): string {
  const letter = (n: number) => String.fromCharCode(65 + (Math.floor(n) % 26));
  return `X${letter(number / 676)}${letter(number / 26)}${letter(number)}`;
}

export function stationCodes(first: number, end: number): readonly string[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, n) => stationCode(first + n));
}

export function stationNumber(code: string): number {
  return [...code.slice(1)].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 65, 0);
}

export function templateOf(station: string): string {
  return TEMPLATES[stationNumber(station) % TEMPLATES.length] ?? '';
}

/** Every station has the timetable of its template, which ten days show. */
export function reportsPerDay(station: string): number {
  const template = templateOf(station);
  const known = perDay.get(template);
  if (known !== undefined) return known;
  const [firstDay, endDay] = ['2010-01-01' as Day, '2010-01-11' as Day];
  const { rows } = source.generate({ source: 'demo', station: template, firstDay, endDay });
  perDay.set(template, rows.length / 10);
  return rows.length / 10;
}
