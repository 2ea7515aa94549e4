import { dayStart } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { type SkipCounts, skip } from './skip-reasons.ts';
import {
  type Body,
  InvalidResponseError,
  type ParsedBody,
  RejectedRequestError,
  type RemoteSource,
  type RowParser,
  type Slice,
  type SourceRow,
} from './source.ts';
import { forEachLine } from './split-lines.ts';

const HOST = 'https://www.ogimet.com';
const SECONDS_PER_DAY = 86_400;
/** Ogimet's limit for one response. A station-year has a tenth of it. */
const MAX_REPORTS = 200_000;
/** Ogimet has a NIL row where a report is missing, so even a silent station has rows until the end of the window. */
const MAX_SILENCE_SECONDS = 3 * 3600;
/** `ICAO,year,month,day,hour,minute,report`; the report is not quoted and may hold commas. */
const ROW = /^([^,]*),(\d{4}),(\d\d),(\d\d),(\d\d),(\d\d),(.*)$/;

/**
 * Ogimet (www.ogimet.com), `getmetar`: an independent collection from 2005-01-01 on. It keeps METAR, SPECI, COR and NIL.
 * Parameters and format: https://www.ogimet.com/getmetar_help.phtml.en.
 */
export function ogimet(host: string = HOST): RemoteSource {
  return {
    kind: 'remote',
    source: 'ogimet',
    rateLimit: { intervalSeconds: 60, parallel: 1 },
    givesAllStations: false,
    requests: (slice) => [{ url: host + pathOf(slice) }],
    parse,
    stationDirectory: { kind: 'none' },
  };
}

/** `end` is inclusive. */
function pathOf(slice: Slice): string {
  const { from, to } = requestedWindow(slice);
  return `/cgi-bin/getmetar?icao=${slice.station}&begin=${stamp(from)}&end=${stamp(to - 60)}&lang=eng&header=yes`;
}

/**
 * A row has the time of its bulletin. For 1.2 % of the reports this is not the observation time, sometimes by a day.
 * So the request covers one day more at both ends, and the observation time decides whether a report is in the slice.
 */
function requestedWindow({ firstDay, endDay }: Slice): { readonly from: number; readonly to: number } {
  return { from: dayStart(firstDay) - SECONDS_PER_DAY, to: dayStart(endDay) + SECONDS_PER_DAY };
}

/** YYYYMMDDHHMM. */
function stamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/[-T:]/g, '').slice(0, 12);
}

async function parse(body: Body, slice: Slice): Promise<ParsedBody> {
  const window = requestedWindow(slice);
  const skipped: SkipCounts = {};
  const rows: SourceRow[] = [];
  let hasHeader = false;
  let lastFiledAt = window.from;
  let lastLine = '';
  const { ended } = await forEachLine(body, (line) => {
    throwIfErrorText(line);
    lastLine = line;
    if (line === '' || line.startsWith('#')) return;
    if (!hasHeader && line.startsWith('ESTACION,')) {
      hasHeader = true;
      return;
    }
    const row = parseRow(line);
    if (row === undefined) {
      if (!hasHeader && rows.length === 0)
        throw new InvalidResponseError(`no rows but ${JSON.stringify(line.slice(0, 80))}`);
      return skip(skipped, 'unreadable row');
    }
    lastFiledAt = Math.max(lastFiledAt, row.filedAt);
    // `icao` is a prefix: `LEBL` also matches a longer code.
    if (row.station !== slice.station) skip(skipped, 'wrong station');
    else rows.push(row);
  });
  if (!hasHeader && rows.length === 0) throw new InvalidResponseError('an empty body');
  if (!ended && !lastLine.endsWith('=')) throw new InvalidResponseError('the last line is cut');

  const rowCount = rows.length + Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const suspicion = suspicionOf({
    rowCount,
    hasUnreadableRows: skipped['unreadable row'] !== undefined,
    lastFiledAt,
    windowEnd: Math.min(window.to, Date.now() / 1000),
  });
  const observedWithin = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  return { rows, skipped, observedWithin, ...(suspicion === undefined ? {} : { suspicion }) };
}

function suspicionOf(body: {
  readonly rowCount: number;
  readonly hasUnreadableRows: boolean;
  readonly lastFiledAt: number;
  readonly windowEnd: number;
}): string | undefined {
  if (body.rowCount === 0) return 'no reports';
  if (body.rowCount >= MAX_REPORTS) return `${MAX_REPORTS} reports, the limit of Ogimet`;
  if (body.hasUnreadableRows) return 'unreadable rows';
  return body.lastFiledAt < body.windowEnd - MAX_SILENCE_SECONDS
    ? `no rows after ${new Date(body.lastFiledAt * 1000).toISOString()}`
    : undefined;
}

/**
 * Ogimet sends these texts under any status, 200 and 501 among them. The quota text passes with time; the Spanish one
 * says that a date of the request is wrong.
 */
function throwIfErrorText(line: string): void {
  if (/^#Sorry|quota limit/i.test(line)) throw new InvalidResponseError(line.slice(0, 120));
  if (/^La fecha de .* no es correcta/.test(line)) throw new RejectedRequestError(line.slice(0, 120));
}

/** Parses files in the format of `getmetar`, with or without header; `undefined` where the line is neither header nor row. */
export function ogimetRowParser(line: string): RowParser | undefined {
  if (!line.startsWith('ESTACION,') && parseRow(line) === undefined) return undefined;
  return (text) => {
    const row = parseRow(text);
    if (row === undefined) return 'unreadable row';
    return ICAO_CODE.test(row.station) ? row : 'not an ICAO code';
  };
}

function parseRow(line: string): SourceRow | undefined {
  const match = ROW.exec(line);
  if (match === null) return undefined;
  const [, station = '', year, month, day, hour, minute, text = ''] = match;
  const filedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(filedAt) ? undefined : { station, filedAt: filedAt / 1000, text };
}
