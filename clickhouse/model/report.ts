import { hash } from 'node:crypto';
import type { Day } from './day.ts';
import type { PartialDecoded } from './fields.ts';

export const REPORT_TYPES = ['METAR', 'SPECI'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

/** The ICAO code of a station. Codes with digits exist, such as K0CO and KX39 (D2). */
export const ICAO_CODE = /^[A-Z][A-Z0-9]{3}$/;

/** The name of a source. Differences between sources are in their adapters, `loader/sources/registry.ts`. */
export type Source = string;

export type Citation = { readonly source: Source; readonly citation?: string };

/** By source; each of the loader has one. */
export const CITATIONS: Readonly<Record<Source, string>> = {
  iem: 'Iowa Environmental Mesonet, Iowa State University. https://mesonet.agron.iastate.edu/request/download.phtml',
  madis:
    'NOAA Meteorological Assimilation Data Ingest System (MADIS), METAR archive. https://madis.ncep.noaa.gov',
  ogimet: 'Ogimet. https://www.ogimet.com',
  awc: 'NOAA National Weather Service, Aviation Weather Center. https://aviationweather.gov',
  ncei: 'NOAA National Centers for Environmental Information (2001): Global Surface Hourly, Integrated Surface Database. https://www.ncei.noaa.gov/products/land-based-station/integrated-surface-database',
  ghcnh:
    'NOAA National Centers for Environmental Information: Global Historical Climatology Network hourly (GHCNh), Version 1. https://doi.org/10.25921/jp3d-3v19',
  tgftp:
    'NOAA National Weather Service, Telecommunication Gateway. https://tgftp.nws.noaa.gov/data/observations/metar/',
  wmo: 'Bulletins of the Global Telecommunication System of the World Meteorological Organization',
  records: 'Records of a historical observations service, without the names of their sources',
  demo: 'Synthetic reports of this program: no observations',
};

/** ISD ends on 28 August 2025 (github.com/openair-project/worldmet, issue 49). */
export const SOURCE_ENDS: Readonly<Partial<Record<Source, Day>>> = { ncei: '2025-08-29' as Day };

export function citationsOf(sources: Iterable<Source>): readonly Citation[] {
  return [...new Set(sources)].sort().map((source) => {
    const citation = CITATIONS[source];
    return citation === undefined ? { source } : { source, citation };
  });
}

/** In the order of every answer (D12), METAR before SPECI. */
export type Position = {
  /** Seconds since 1970-01-01T00:00:00Z; a whole minute. */
  readonly observedAt: number;
  /** `ICAO_CODE` matches it. */
  readonly station: string;
  readonly type: ReportType;
  /** 8 lower-case hex digits: the hash of the body (D4), see `fingerprint`. */
  readonly fingerprint: string;
};

/**
 * Whether a report counts in series and statistics, chosen when it is written. `hour`: it is the first METAR of its nominal hour,
 * and counts also where every report counts. `minute`: it is the best of its minute and type, and counts only there. `no`: it is
 * NIL, retracted, or not the best. Stored as an Enum8 in this order, from 0.
 */
export const COUNTS = ['no', 'minute', 'hour'] as const;
export type Counts = (typeof COUNTS)[number];

export type Report = Position & {
  /** One line, as the source sent it (D5). */
  readonly raw: string;
  readonly source: Source;
  /** Everything in the body was explained (D8). If not, `decoded` is not served. */
  readonly clean: boolean;
  readonly decoder: number;
  readonly decoded: PartialDecoded;
};

/**
 * The fingerprint of the body of a report (D4, D69). It is the same with and without keyword, correction mark, closing `=` or `$`,
 * commas, line breaks, and characters outside ASCII (`NIÑO`, `NIO`).
 *
 * It distinguishes the few reports of one station and minute, is stored twice for every row and cannot be compressed: of ten
 * million pairs in 4 bytes, one archive in 400 has a collision.
 *
 * @returns 8 lower-case hex digits: the first 4 bytes of the body's SHA-256
 */
export function fingerprint(raw: string): string {
  return hash('sha256', body(raw), 'hex').slice(0, 8);
}

const OUTSIDE_ASCII = /\P{ASCII}+/gu;

const TO_NORMALIZE = /[^ !-#%-+\--<>-`{-~]|^ | {2}|^METAR|^SPECI|^CC[A-Z] |COR/;

const MAX_BODY = 200;

function body(raw: string): string {
  const trimmed = raw.slice(...trimmedRange(raw));
  return (TO_NORMALIZE.test(trimmed) ? normalizedBody(raw) : trimmed).slice(0, MAX_BODY);
}

function trimmedRange(raw: string): readonly [begin: number, end: number] {
  const begin = raw.startsWith('METAR ') || raw.startsWith('SPECI ') ? 6 : 0;
  let end = raw.length;
  while (end > begin && '=$ '.includes(raw.charAt(end - 1))) end -= 1;
  return [begin, end];
}

function normalizedBody(raw: string): string {
  // Removed before `toUpperCase`, which turns some of them into ASCII letters: `ß` becomes `SS`.
  const text = raw
    .replace(OUTSIDE_ASCII, '')
    .toUpperCase()
    .replace(/[\s,]+/g, ' ');
  let end = text.length;
  while (end > 0 && '=$ '.includes(text.charAt(end - 1))) end -= 1;
  const tokens = text.slice(0, end).split(' ');
  const remarks = tokens.indexOf('RMK');
  // IEM cut `COR ` out of the remarks too until 2020-10: `COR 2112`, the time of a correction, is `2112` there.
  const isMark = (at: number) => remarks < 0 || at < remarks || at + 1 < tokens.length;
  const bodyTokens = tokens.filter((token, at) => token !== '' && !(token === 'COR' && isMark(at)));
  while (/^(?:METAR|SPECI|CC[A-Z])$/.test(bodyTokens[0] ?? '')) bodyTokens.shift();
  return bodyTokens.join(' ');
}

/** The low 8 bits are for decoders: all versions of one text share the higher bits. */
const TEXT = 0x100;
const REVISION = 0x1_0000;
const RANK = 0x100_0000;

export const MAX_DECODER_VERSION = TEXT - 1;

/**
 * The version of a row: from the highest bits, 8 bits each for the rank of the source, the revision, a hash (`contentHash`), and
 * the decoder of that text. Readers see the highest version of a key. So a better source wins by its rank, and a correction by its
 * revision; between two rows that loaders write at the same time the hash decides, with the same result in both tables.
 *
 * @param rank of the source, from 1, as its adapter states it
 * @param hash see `contentHash`
 */
export function versionAbove(rank: number, replaced?: { readonly version: number }, hash = 0): number {
  const revised = replaced === undefined ? 0 : Math.floor(replaced.version / REVISION) + 1;
  return Math.max(rank * RANK, revised * REVISION) + hash * TEXT;
}

/** A hash from 0 to 255 of what the fingerprint leaves out. It compresses well, because a few values are frequent. */
export function contentHash({ type, source, raw, counts }: HashedContent): number {
  const [begin, end] = trimmedRange(raw);
  const isSpelledOtherwise = end - begin > MAX_BODY || TO_NORMALIZE.test(raw.slice(begin, end));
  let hash = mixed(0x811c9dc5, source, 0, source.length);
  hash = mixed(hash, type, 0, 1);
  hash = mixed(hash, counts, 0, 1);
  hash = mixed(hash, raw, 0, isSpelledOtherwise ? raw.length : begin);
  return mixed(hash, raw, end, raw.length) >>> 24;
}

function mixed(hash: number, text: string, from: number, to: number): number {
  let mix = hash;
  for (let at = from; at < to; at += 1) mix = Math.imul(mix ^ text.charCodeAt(at), 0x01000193);
  return mix;
}

type HashedContent = Pick<Report, 'type' | 'source' | 'raw'> & { readonly counts: Counts };

/**
 * The version of the same text read by a newer decoder: above the row that it replaces and below every result of
 * `versionAbove`, so a better text or a retraction wins. Two processes write the same version.
 */
export function versionDecoded(decoder: number, replaced: { readonly version: number }): number {
  const text = replaced.version - (replaced.version % TEXT);
  return Math.max(text + decoder, replaced.version + 1);
}

/** Replaces station and time in a stored text, with the same length. No report has a control character. */
const MARK = '\u0001'.repeat('CYYZ 011251Z'.length);
const MARK_SQL = `repeat('\\x01', ${MARK.length})`;

const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

/** The text without station and time (`CYYZ 011251Z`), which are in other columns and would take 6 of a report's 76 bytes. */
export function storedText(raw: string, station: string, observedAt: number): string {
  const time = new Date(observedAt * 1000);
  const [day, hour, minute] = [time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()];
  return raw.replace(`${station} ${TWO_DIGITS[day]}${TWO_DIGITS[hour]}${TWO_DIGITS[minute]}Z`, MARK);
}

/** The same in SQL: expressions over a text, a station and a time. */
export function storedTextSql(raw: string, station: string, observedAt: string): string {
  return `replaceOne(${raw}, ${stationAndTime(station, observedAt)}, ${MARK_SQL})`;
}

export const RAW = `replaceOne(text, ${MARK_SQL}, ${stationAndTime('station', 'observedAt')})`;

function stationAndTime(station: string, observedAt: string): string {
  return `concat(${station}, ' ', formatDateTime(${observedAt}, '%d%H%iZ'))`;
}
