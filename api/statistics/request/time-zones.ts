import { insteadOf } from '../../../clickhouse/validation/nearest-names.ts';
import { ListError } from './list-error.ts';

/** Whose days and hours count (D45). `station`: those of each station, all the year at the standard offset or not. */
export type TimeZone =
  | { readonly kind: 'station'; readonly isStandard: boolean }
  | { readonly kind: 'zone'; readonly zone: string };

const WORDS: ReadonlyMap<string, TimeZone> = new Map([
  ['utc', { kind: 'zone', zone: 'UTC' }],
  ['local', { kind: 'station', isStandard: false }],
  ['standard', { kind: 'station', isStandard: true }],
]);

/**
 * Zones that the engine does not know yet, and the one that they had until then: Aysén left the time of Santiago in March
 * 2025.
 */
const NEW_ZONES: Readonly<Record<string, string>> = { 'America/Coyhaique': 'America/Santiago' };

/** The name by which the engine knows a zone. */
export function zoneOfEngine(zone: string): string {
  return NEW_ZONES[zone] ?? zone;
}

/** `utc`, `local`, `standard`, or an IANA name. */
export function parseTimeZone(text: string): TimeZone {
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  // Intl takes offsets too, and names in lower case.
  const zone = /^[A-Za-z]/.test(text) ? canonicalZone(text) : undefined;
  if (zone !== undefined) return { kind: 'zone', zone };
  const names = [...WORDS.keys(), ...Intl.supportedValuesOf('timeZone')];
  throw new ListError(
    `has an unknown zone ${text.slice(0, 64)}: write utc, local, standard, or an IANA name, as in Europe/London; ${insteadOf(text, names, 'see /docs/statistics')}`,
  );
}

function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The standard offset of a zone in a year, in seconds east: the lower of those of January and July. */
export function standardOffset(zone: string, year: number): number {
  return Math.min(...[0, 6].map((month) => offsetAt(zone, Date.UTC(year, month, 15))));
}

function offsetAt(zone: string, time: number): number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60;
  return sign === '-' ? -seconds : seconds;
}
