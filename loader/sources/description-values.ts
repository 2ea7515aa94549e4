import type { Source } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations/station-descriptions.ts';

/** Values as a source sends them, of any type. */
type SentValues = {
  readonly name: unknown;
  /** Mapped to ISO 3166-1 already. */
  readonly country: string | undefined;
  readonly latitude: unknown;
  readonly longitude: unknown;
  readonly elevation_m: unknown;
  readonly timezone?: unknown;
};

/** Below the Dead Sea and above the highest station there is no aerodrome: -999.9 and 9999 stand for unknown. */
const LOWEST_M = -450;
const HIGHEST_M = 6000;

/** What sources write in place of a name that they do not know. */
const NO_NAME = /\b(BOGUS|UNKN|UNKNOWN|APPROXIMATE LOCALE)\b/i;

/** Names of aerodromes are far shorter; a longer text would fill every page about the station. */
const MAX_NAME = 200;

/** A description with the values that can be true; the others are left out, and so is a position of 0, 0 (D35). */
export function toStationDescription(source: Source, station: string, sent: SentValues): StationDescription {
  const { latitude, longitude, elevation_m, country, timezone } = sent;
  const name = typeof sent.name === 'string' ? sent.name.replace(/\s+/g, ' ').trim() : '';
  const hasPosition =
    isWithin(latitude, -90, 90) && isWithin(longitude, -180, 180) && (latitude !== 0 || longitude !== 0);
  return {
    source,
    station,
    ...(name !== '' && name.length <= MAX_NAME && !NO_NAME.test(name) && { name }),
    ...(country !== undefined && { country }),
    ...(hasPosition && { position: { latitude, longitude } }),
    ...(isWithin(elevation_m, LOWEST_M, HIGHEST_M) && { elevation_m: Math.round(elevation_m * 10) / 10 }),
    ...(isTimeZone(timezone) && { timezone }),
  };
}

/** An area and a place, as in `Asia/Kolkata`. Also names that ICU replaces by older ones; no offset. */
function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Z]\w+(\/[A-Z][\w+-]+)+$/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most;
}
