import type { Archive } from '../../clickhouse/archive.ts';
import { readKnownStations } from '../../clickhouse/stations.ts';
import { readHeader } from '../decode/header.ts';
import { newParseState, tokensOf } from '../decode/parse-state.ts';
import { decodeAll } from '../decode.ts';
import {
  addSkips,
  NO_STATION_AND_TIME,
  OTHER_BULLETIN,
  OTHER_KIND,
  type SkipReason,
  skip,
  WRONG_STATION,
} from '../sources/source.ts';
import type { NormalizedReports } from './normalize.ts';

/** What the text of a row says about the station of the row (D67). */
export type StatedStation =
  | { readonly kind: 'own' }
  /** The text states this code, which is one letter off: another station, or a slip of the same. */
  | { readonly kind: 'one letter off'; readonly stated: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason };

const OWN: StatedStation = { kind: 'own' };
const skipped = (reason: SkipReason): StatedStation => ({ kind: 'skipped', reason });

/** The period of a forecast after its time: a TAF whose name a source has cut off. */
const FORECAST_PERIOD = /^(?:\S+ ){1,3}?\d{6}Z \d{4}\/\d{4}(?: |$)/;

/**
 * Compares the station of a text with that of its row, and tells reports from other texts: `null`, an error message, a TAF.
 * A report states its station and its time. Where it lacks one of them, which happens (`METAR MRLB 05012KT 9999 …`), it
 * has groups that no other text has; where it lacks both it is no report.
 *
 * @param hasTime whether the text has a day and time
 */
export function statedStation(raw: string, station: string, hasTime: boolean): StatedStation {
  if (OTHER_BULLETIN.test(raw) || FORECAST_PERIOD.test(raw)) return skipped(OTHER_KIND);
  const stated = stationOf(raw, station);
  const isReport = stated === undefined ? hasTime && hasGroups(raw) : hasTime || hasGroups(raw);
  if (!isReport) return skipped(NO_STATION_AND_TIME);
  if (stated === undefined || stated === station) return OWN;
  return isOneLetterOff(stated, station) ? { kind: 'one letter off', stated } : skipped(WRONG_STATION);
}

/** The decoder decides, because a record must not have another station than its decoded fields. */
function stationOf(raw: string, station: string): string | undefined {
  const state = newParseState(tokensOf(raw));
  readHeader(state, []);
  if (state.station !== '') return state.station;
  // A code with a letter too many or too few is none for the decoder.
  const [code = ''] = raw.replace(/^(?:(?:METAR|SPECI|COR) )*/, '').split(' ', 1);
  return isOneLetterOff(code, station) ? code : undefined;
}

function hasGroups(raw: string): boolean {
  const { wspd_kt, visib_m, clouds, temp_c, altim_hpa } = decodeAll(raw).fields;
  return [wspd_kt, visib_m, clouds, temp_c, altim_hpa].some((value) => value !== undefined);
}

/** Whether one letter is another, missing or added. */
export function isOneLetterOff(code: string, station: string): boolean {
  if (code === station || Math.abs(code.length - station.length) > 1) return false;
  let start = 0;
  while (start < code.length && code[start] === station[start]) start += 1;
  const [short, long] = code.length < station.length ? [code, station] : [station, code];
  const rest = long.slice(start + 1);
  return rest === short.slice(start + (short.length === long.length ? 1 : 0));
}

/**
 * Skips the reports whose text states another station that exists, though only one letter differs: EGLC and EGLL are two
 * airports of London. A code that nobody knows is a slip, and its report is kept (D67).
 *
 * @param listed stations that are known beside those of the archive
 */
export async function skipOtherStations(
  archive: Archive,
  normalized: NormalizedReports,
  listed: Iterable<string> = [],
): Promise<NormalizedReports> {
  const { statedCodes, ...others } = normalized;
  if (statedCodes === undefined) return normalized;
  const stations = [...new Set(statedCodes.values())];
  const known = await readKnownStations(archive, { stations }, undefined, stations.length);
  const existing = new Set([
    ...listed,
    ...known.map(({ station }) => station),
    ...normalized.reports.map(({ station }) => station),
  ]);
  const skipped = {};
  addSkips(skipped, normalized.skipped);
  const reports = normalized.reports.filter((report) => {
    const isOther = existing.has(statedCodes.get(report) ?? '');
    if (isOther) skip(skipped, WRONG_STATION);
    return !isOther;
  });
  return { ...others, reports, skipped };
}
