import { parseTime } from '../../clickhouse/model/day.ts';
import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import { parseCsvLine } from './body.ts';
import { SEPARATORS } from './csv.ts';
import type { RowFormat, RowParser, SkippedRow, SourceRow } from './format.ts';
import { parseRows, rowOfText, UNREADABLE_ROW } from './parse-rows.ts';
import { EARLIEST_SECONDS, LATEST_SECONDS, type RemoteSource, type Slice, windowOfSlice } from './source.ts';

/** Ogimet's limit for one response. A station-year has a tenth of it. */
const MAX_REPORTS_OF_ANSWER = 200_000;
/** The limit at a hundred bytes a report is 20 MB. */
const MAX_BYTES_OF_ANSWER = 32_000_000;
/** Ogimet has a NIL row where a report is missing, so even a silent station has rows until the end of the window. */
const MAX_SILENCE_SECONDS = 3 * 3600;
const HEADER = /^"?ESTACION\b/;

/**
 * Ogimet (www.ogimet.com), `getmetar`: an independent collection from 2005-01-01 on. It keeps METAR, SPECI, COR and NIL.
 * Parameters and format: https://www.ogimet.com/getmetar_help.phtml.en.
 */
export function ogimet(host = 'https://www.ogimet.com'): RemoteSource {
  return {
    kind: 'remote',
    host,
    source: 'ogimet',
    publisher: 'ogimet.com',
    rank: 6,
    sendsTypes: false,
    fileFormats: () => [GETMETAR_FORMAT, PAGE_FORMAT],
    rateLimit: { intervalSeconds: 60, parallel: 1 },
    givesAllStations: false,
    requests: (slice) => [
      {
        url: host + pathOf(slice),
        maxBytes: MAX_BYTES_OF_ANSWER,
        redirectHosts: ['ogimet.com', 'www.ogimet.com'],
      },
    ],
    // A response at the limit may lack rows.
    maxRows: MAX_REPORTS_OF_ANSWER - 1,
    parse: async (body, slice, maxRows) => {
      const checks = { window: requestedWindow(slice), maxSilenceSeconds: MAX_SILENCE_SECONDS };
      const parsed = await parseRows(body, slice, GETMETAR_FORMAT, maxRows, checks);
      return { ...parsed, observedWithin: windowOfSlice(slice) };
    },
  };
}

function pathOf(slice: Slice): string {
  const { from, to } = requestedWindow(slice);
  // `end` is inclusive.
  return `/cgi-bin/getmetar?icao=${slice.station}&begin=${stamp(from)}&end=${stamp(to - 60)}&lang=eng&header=yes`;
}

/**
 * A row has the time of its bulletin. For 1.2 % of the reports this is not the observation time, sometimes by days. So the
 * request covers more at both ends, and the observation time decides whether a report is in the slice (D86).
 */
function requestedWindow(slice: Slice): TimeWindow {
  const { from, to } = windowOfSlice(slice);
  return { from: from - EARLIEST_SECONDS, to: to + LATEST_SECONDS };
}

/** YYYYMMDDHHMM. */
function stamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/[-T:]/g, '').slice(0, 12);
}

/** Sent under any status, 200 and 501 among them. It passes with time. */
const QUOTA = /^#Sorry|quota limit/i;

/**
 * The CSV of `getmetar`, with or without header, and comments that begin with `#`. The report is not quoted and may hold
 * commas. A program or spreadsheet that has saved such a file has quoted values, and may have left out the zeros of `01`.
 */
const GETMETAR_FORMAT: RowFormat = {
  name: 'rows of getmetar',
  open: (line) => {
    const separator = SEPARATORS.find(
      (each) => (HEADER.test(line) && line.includes(each)) || parseRow(line, each) !== undefined,
    );
    return separator && ((row) => parseRow(row, separator) ?? { reason: UNREADABLE_ROW });
  },
  isRow: (line) => !HEADER.test(line),
  errorText: QUOTA,
};

const ROW_COLUMNS = 7;
const ROW_TIME = /^\d{4}(?:-\d\d?){4}$/;

/** `ICAO,year,month,day,hour,minute,report`. */
function parseRow(line: string, separator: string | undefined): SourceRow | undefined {
  const [station = '', ...others] = parseCsvLine(line, separator, ROW_COLUMNS);
  const [year, month, day, hour, minute, text] = others;
  if (text === undefined || !ROW_TIME.test(others.slice(0, -1).join('-'))) return undefined;
  const filedAt = parseTime(`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00Z`);
  return Number.isNaN(filedAt) ? undefined : { station, filedAt, text };
}

const two = (digits = ''): string => digits.padStart(2, '0');

/** `200501011051 METAR KDCA …`; a report goes on in lines that begin with blanks, and ends with `=`. */
const PAGE_ROW = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d) +(\S.*)$/;

/** The text of the page `display_metars2`, saved by hand; forecasts follow the reports. */
const PAGE_FORMAT: RowFormat = {
  name: 'reports after a time such as 202401311251',
  open: (first) => {
    if (!PAGE_ROW.test(first)) return undefined;
    let report: { readonly filedAt: number; text: string } | undefined;
    const take = (): SourceRow | SkippedRow | undefined => {
      const ended = report;
      report = undefined;
      return ended && rowOfText(ended.text, { filedAt: ended.filedAt });
    };
    const parse = (line: string): ReturnType<RowParser> => {
      const [, year, month, day, hour, minute, text] = PAGE_ROW.exec(line) ?? [];
      if (text === undefined && report !== undefined && /^\s/.test(line)) {
        report.text += ` ${line.trim()}`;
        return line.trimEnd().endsWith('=') ? take() : undefined;
      }
      const before = take();
      // A report without its end may have been cut off by what follows.
      if (text === undefined) return { reason: UNREADABLE_ROW };
      const filedAt = parseTime(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
      if (Number.isNaN(filedAt)) return { reason: UNREADABLE_ROW };
      report = { filedAt, text };
      return before ?? (text.trimEnd().endsWith('=') ? take() : undefined);
    };
    return Object.assign(parse, { end: take });
  },
  isRow: () => true,
  errorText: QUOTA,
};
