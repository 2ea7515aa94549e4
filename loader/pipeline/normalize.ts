import type { Archive } from '../../clickhouse/archive.ts';
import { fingerprint, type Report, type ReportType } from '../../clickhouse/model/report.ts';
import { isWithin } from '../../clickhouse/model/time-window.ts';
import { readKnownStations } from '../../clickhouse/stations.ts';
import { inCapitals, readHeader } from '../decode/header.ts';
import { newParseState, tokensOf } from '../decode/parse-state.ts';
import { decodeAll } from '../decode.ts';
import { keywordOf, type SkipReason } from '../sources/format.ts';
import {
  addSkips,
  EARLIEST_SECONDS,
  LATEST_SECONDS,
  MAX_TEXT_LENGTH,
  NO_STATION_AND_TIME,
  OTHER_BULLETIN,
  OTHER_KIND,
  OTHER_TIME,
  OUTSIDE_WINDOW,
  type ParsedBody,
  type SkipCounts,
  skip,
  WRONG_STATION,
} from '../sources/source.ts';

/** A report of a source with its identity (D3), before its type is decided. */
export type NormalizedReport = Pick<Report, 'station' | 'observedAt' | 'fingerprint' | 'raw'> & {
  readonly sentType: ReportType | undefined;
  /** The report says that there is no observation (D8). */
  readonly nil: boolean;
  /** The station that the text states, where it is one letter off. */
  readonly stated?: string;
};

export type NormalizedReports = Pick<ParsedBody, 'skipped' | 'incompleteDays' | 'unreadable'> & {
  readonly reports: readonly NormalizedReport[];
};

/** Turns rows of a source into reports; counts rows that are not reports, by reason. */
export function normalize(body: ParsedBody): NormalizedReports {
  const { observedWithin, incompleteDays, unreadable } = body;
  const skipped: SkipCounts = {};
  addSkips(skipped, body.skipped);
  const reports: NormalizedReport[] = [];
  for (const { station, filedAt, text, type } of body.rows) {
    if (text.length > MAX_TEXT_LENGTH) {
      skip(skipped, 'longer than any report');
      continue;
    }
    const raw = oneLine(text);
    const start = startOf(raw);
    const { dayTime } = start;
    const nil = isNil(raw);
    const observedAt = observationTime(dayTime, filedAt);
    const other = start.isUsual && start.stated === station ? undefined : otherStation(raw, station, start);
    if (EMPTY.test(raw)) skip(skipped, 'empty text');
    else if (nil && dayTime === undefined) skip(skipped, 'NIL without time');
    else if (other && 'reason' in other) skip(skipped, other.reason);
    else if (observedAt === undefined) skip(skipped, OTHER_TIME);
    else if (observedWithin && !isWithin(observedAt, observedWithin)) skip(skipped, OUTSIDE_WINDOW);
    else {
      const sentType = keywordOf(raw) ?? type;
      reports.push({ station, observedAt, fingerprint: fingerprint(raw), raw, sentType, nil, ...other });
    }
  }
  return { reports, skipped, incompleteDays, unreadable };
}

/** Matches what is not yet one line of printable ASCII with single blanks and no `=` at the end. */
const NOT_ONE_LINE = /[^ -~]| {2}|^ | $|=$/;

/**
 * D5: one line, control characters removed, white space collapsed, trailing `=` removed, nothing else changed. A no-break
 * space between two groups stays: IEM leaves it out, and so does the fingerprint (D69).
 */
export function oneLine(text: string): string {
  if (!NOT_ONE_LINE.test(text)) return text;
  const line = collapse(collapse(text).replace(/\p{Cc}+/gu, '')).trim();
  let end = line.length;
  while (end > 0 && (line[end - 1] === '=' || line[end - 1] === ' ')) end -= 1;
  return line.slice(0, end);
}

const collapse = (text: string) => text.replace(/\s+/g, (run) => (/[^\u00a0]/.test(run) ? ' ' : '\u00a0'));

/** The word NIL, also with spaces or in lower case. A report without it is not NIL, so it need not be decoded to find out. */
const NIL = /n ?i ?l/i;

/** The decoder decides, because the coverage view counts inserted reports by the decoder's `nil`. */
export function isNil(raw: string): boolean {
  return NIL.test(raw) && decodeAll(raw).fields.nil === true;
}

/** Texts that consist of keywords, with or without a station. */
const EMPTY = /^(?:(?:METAR|SPECI|COR)(?: |$))*(?:[A-Z][A-Z0-9]{3})?$/;

/** A time in the first seven groups, where no station precedes it: a military header has a few. */
const TIME_ALONE = /^(?:[^ \u00a0]*[ \u00a0]){0,6}?(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)Z/;

/**
 * The start of nearly every report: its station, then the time group. Neither the period of a forecast nor a second
 * header, which would count (`ATAR 032100Z METAR FCBB 032100Z …`), follows.
 */
const USUAL_START =
  /^(?:METAR |SPECI )?([A-Z][A-Z0-9]{3}) (0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)Z (?!\d{4}\/\d{4}|METAR|SPECI|[A-Z][A-Z0-9]{3} \d{6}Z)/;

type DayTime = { readonly day: number; readonly hour: number; readonly minute: number };

/**
 * The decoder decides, because a record must not have another station or time than its decoded fields.
 *
 * @returns `isUsual`: the report begins as nearly every report does. `dayTime`: the `ddhhmmZ` group; `undefined` if there is
 *   no readable one
 */
export function startOf(raw: string) {
  const usual = USUAL_START.exec(raw);
  if (usual !== null) return { isUsual: true, stated: usual[1], dayTime: dayTimeOf(usual.slice(2)) };
  const state = newParseState(tokensOf(inCapitals(raw)));
  readHeader(state, []);
  const { station: stated, day, hour, minute } = state;
  const alone = TIME_ALONE.exec(raw);
  const dayTime = alone ? dayTimeOf(alone.slice(1)) : undefined;
  return { isUsual: false, stated, dayTime: hour === -1 ? dayTime : { day, hour, minute } };
}

function dayTimeOf([day, hour, minute]: readonly string[]): DayTime {
  return { day: Number(day), hour: Number(hour), minute: Number(minute) };
}

/**
 * The observation time (D86): the day and time of the report at the nearest date, at most 48 hours before the source's time
 * and three hours after it; without a readable one the source's time. The times of bulletins are wrong more often than those
 * of reports (1.2 % of Ogimet's).
 *
 * @param filedAt the source's time, seconds since 1970-01-01T00:00:00Z
 * @returns seconds since 1970-01-01T00:00:00Z, a whole minute; `undefined` where the report is an old one or its time is wrong
 */
export function observationTime(dayTime: DayTime | undefined, filedAt: number): number | undefined {
  const filedMinute = filedAt - (filedAt % 60);
  if (dayTime === undefined) return filedMinute;
  const filed = new Date(filedMinute * 1000);
  if (dayTime.day === filed.getUTCDate() && dayTime.hour * 60 + dayTime.minute === (filedMinute / 60) % 1440)
    return filedMinute;
  return [-1, 0, 1]
    .map((months) => timeIn(filed.getUTCFullYear(), filed.getUTCMonth() + months, dayTime))
    .find(
      (time) =>
        time !== undefined && time >= filedMinute - LATEST_SECONDS && time <= filedMinute + EARLIEST_SECONDS,
    );
}

/** `undefined` if the month has no such day. */
function timeIn(year: number, month: number, { day, hour, minute }: DayTime): number | undefined {
  const date = new Date(Date.UTC(year, month, day, hour, minute));
  return date.getUTCDate() === day ? date.getTime() / 1000 : undefined;
}

/** The period of a forecast after its time: a TAF whose name a source has cut off. */
const FORECAST_PERIOD = /^(?:\S+ ){1,3}?\d{6}Z \d{4}\/\d{4}(?: |$)/;

/**
 * Compares the station of a text with that of its row, and distinguishes reports from other texts: `null`, an error message, a
 * TAF. A report states its station and its time. If it lacks one of them (`METAR MRLB 05012KT 9999 …`), it must have groups
 * that no other text has. If it lacks both, it is not a report.
 *
 * @returns a code that differs by one letter, of another station or a slip of this one; or why the text is skipped (D67);
 *   `undefined` if the text states no other station
 */
function otherStation(raw: string, station: string, start: ReturnType<typeof startOf>) {
  const skipped = (reason: SkipReason) => ({ reason });
  if (OTHER_BULLETIN.test(raw) || FORECAST_PERIOD.test(raw)) return skipped(OTHER_KIND);
  const stated = start.stated || codeNear(raw, station);
  const hasTime = start.dayTime !== undefined;
  const isReport = stated === undefined ? hasTime && hasGroups(raw) : hasTime || hasGroups(raw);
  if (!isReport) return skipped(NO_STATION_AND_TIME);
  if (stated === undefined || stated === station) return undefined;
  return isOneLetterOff(stated, station) ? { stated } : skipped(WRONG_STATION);
}

/** The decoder does not recognize a code with a letter too many or too few. */
function codeNear(raw: string, station: string): string | undefined {
  const [code = ''] = raw.replace(/^(?:(?:METAR|SPECI|COR) )*/, '').split(' ', 1);
  return isOneLetterOff(code, station) ? code : undefined;
}

function hasGroups(raw: string): boolean {
  const { wspd_kt, visib_m, clouds, temp_c, altim_hpa } = decodeAll(raw).fields;
  return [wspd_kt, visib_m, clouds, temp_c, altim_hpa].some((value) => value !== undefined);
}

/** Whether the codes differ by one letter, which is wrong, missing or added. */
export function isOneLetterOff(code: string, station: string): boolean {
  if (code === station || Math.abs(code.length - station.length) > 1) return false;
  let start = 0;
  while (start < code.length && code[start] === station[start]) start += 1;
  const [short, long] = code.length < station.length ? [code, station] : [station, code];
  const rest = long.slice(start + 1);
  return rest === short.slice(start + (short.length === long.length ? 1 : 0));
}

/**
 * The reports in rows. A report whose text states another existing station is skipped, even if only one letter differs: EGLC and
 * EGLL are both airports of London. If no station has the code, it is a slip, and the report is kept (D67).
 *
 * @param knownStations in addition to those of the archive
 */
export async function readReports(
  { archive, knownStations = [] }: { readonly archive: Archive; readonly knownStations?: Iterable<string> },
  body: ParsedBody,
): Promise<NormalizedReports> {
  const normalized = normalize(body);
  const stations = [...new Set(normalized.reports.map(({ stated }) => stated))].filter(
    (code) => code !== undefined,
  );
  if (stations.length === 0) return normalized;
  const known = await readKnownStations(archive, { stations }, undefined, stations.length);
  const existing = new Set(knownStations);
  for (const { station } of [...known, ...normalized.reports]) existing.add(station);
  const reports = normalized.reports.filter(({ stated }) => stated === undefined || !existing.has(stated));
  const others = normalized.reports.length - reports.length;
  if (others > 0) addSkips(normalized.skipped, { [WRONG_STATION]: others });
  return { ...normalized, reports };
}
