import { addDays, type DayRange, dayStart, daysBetween } from '../../clickhouse/model/day.ts';
import type { ReportType } from '../../clickhouse/model/report.ts';
import { keywordOf, type RowFormat, type RowParser, type SkippedRow, type SourceRow } from './format.ts';
import { rowOfText, UNREADABLE_ROW } from './parse-rows.ts';
import { type FileSource, OTHER_KIND } from './source.ts';

/**
 * Bulletins of the Global Telecommunication System (WMO-No. 386, Manual on the GTS, attachment II-5), as national weather
 * services send them and IEM and MADIS collect them. They have the type of each report, and rank with MADIS, whose texts are
 * made from them and cut.
 */
export function wmo(): FileSource {
  return { kind: 'files', source: 'wmo', rank: 4, sendsTypes: true, fileFormats: () => [BULLETIN_FORMAT] };
}

/** `SAUS70 KWBC 010030 CCA`: T1T2A1A2ii CCCC YYGGgg BBB. */
const HEADING = /^([A-Z]{4}\d{0,2}) [A-Z][A-Z0-9]{3} (\d\d)([01]\d|2[0-3])([0-5]\d)((?: [A-Z]{3})*)$/;
/** Of the data designators, these two are METAR and SPECI. */
const TYPE_OF_DESIGNATOR: Readonly<Record<string, ReportType>> = { SA: 'METAR', SP: 'SPECI' };
/** SOH begins a bulletin and ETX ends it; NUL and other control characters occur in texts. */
const [START_OF_HEADING, END_OF_TEXT] = ['\u0001', '\u0003'];
const SEQUENCE_NUMBER = /^\d{3,5}\s*$/;
/** The line of the type or, in the United States, of the product: `METAR`, `MTRNZY`. */
const TYPE_LINE = /^(METAR|SPECI)(?: (COR))?$/;
const PRODUCT_LINE = /^[A-Z]{3}[A-Z0-9]{1,3}$/;
/** Days of a file in which each day of the month occurs once. */
const MAX_DAYS = 28;

/** A report ends with `=`, with the end of its bulletin, or where the next one begins with its keyword. */
const BULLETIN_FORMAT: RowFormat = {
  name: 'bulletins with a heading such as SAUS70 KWBC 010030, in a file whose name has its date (metar_20240131.txt), or with --from and --to of at most 28 days',
  // Not by SOH: a line of a binary file, such as a spreadsheet, can begin with it.
  open: (first, days) => (HEADING.test(clean(first)) ? bulletinParser(days) : undefined),
  isRow: () => true,
  isWhole: (line) => line.endsWith(END_OF_TEXT) || clean(line) === '' || /=\s*$/.test(line),
};

function bulletinParser(days: DayRange | undefined): RowParser {
  let bulletin: ReturnType<typeof bulletinOf> | undefined;
  let text = '';
  /** Ends the report; begins the next one with the line that ends it. */
  const take = (next = ''): SourceRow | SkippedRow | undefined => {
    const report = text;
    text = next;
    if (report === '' || bulletin === undefined) return undefined;
    const { filedAt, type, correction } = bulletin;
    if (filedAt === undefined) return { reason: UNREADABLE_ROW };
    if (type === undefined) return { filedAt, reason: OTHER_KIND };
    return rowOfText(corrected(report, correction), { filedAt, type: keywordOf(report) ?? type });
  };
  const parse = (line: string): ReturnType<RowParser> => {
    const content = clean(line);
    const heading = HEADING.exec(content);
    if (line.startsWith(START_OF_HEADING) || heading !== null || SEQUENCE_NUMBER.test(line)) {
      const last = take();
      if (heading !== null) bulletin = bulletinOf(heading, days);
      return last;
    }
    if (content === '') return line.includes(END_OF_TEXT) ? take() : undefined;
    if (bulletin === undefined) return { reason: UNREADABLE_ROW };
    const [, typeLine, correction] = TYPE_LINE.exec(content) ?? [];
    if (typeLine !== undefined && text === '') {
      bulletin.type = typeLine as ReportType;
      bulletin.correction ??= correction;
      return undefined;
    }
    if (text === '' && PRODUCT_LINE.test(content)) return undefined;
    const begins = keywordOf(content) !== undefined;
    const before = begins ? take() : undefined;
    text = text === '' ? content : `${text} ${content}`;
    if (before !== undefined) return before;
    return /=$/.test(content) || line.includes(END_OF_TEXT) ? take() : undefined;
  };
  return Object.assign(parse, { end: () => take() });
}

function bulletinOf(heading: RegExpExecArray, days: DayRange | undefined) {
  const [, designator = '', day, hour, minute, indicators = ''] = heading;
  // Without a type it holds neither METAR nor SPECI; with `CCA` and so on its reports are corrections (D52).
  const type = TYPE_OF_DESIGNATOR[designator.slice(0, 2)];
  const start = days === undefined ? undefined : startOfDay(Number(day), days);
  const filedAt = start && start + Number(hour) * 3600 + Number(minute) * 60;
  return { type, filedAt, correction: / (CC[A-Z]|COR)/.exec(indicators)?.[1] };
}

/** The only day of these with this number in its month. A bulletin of the last evening can hold reports of the first day. */
function startOfDay(number: number, days: DayRange): number | undefined {
  if (daysBetween(days.firstDay, days.endDay) > MAX_DAYS) return undefined;
  const [first, end] = [addDays(days.firstDay, -1), addDays(days.endDay, 1)];
  for (let day = first; day < end; day = addDays(day, 1))
    if (Number(day.slice(8)) === number) return dayStart(day);
  return undefined;
}

/** The mark of the bulletin, where a report has its own: before the station. It is no part of the fingerprint. */
function corrected(report: string, mark: string | undefined): string {
  if (mark === undefined || CORRECTION.test(report)) return report;
  return report.replace(/^(?:(?:METAR|SPECI) )?/, (keyword) => `${keyword}${mark} `);
}

const CORRECTION = /^(?:\S+ ){0,3}(?:COR|CC[A-Z])(?: |$)/;

function clean(line: string): string {
  return line
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
