import { dayStart } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { type SkipCounts, skip } from '../pipeline/skip-reasons.ts';
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
/** Ogimet answers with this many reports and no more; a station-year has a tenth of it. */
const MOST_REPORTS = 200_000;
/** NIL stands where a report is missing, so even a silent station seldom ends this long before its window does. */
const QUIET_SECONDS = 3 * 3600;
/** ICAO,year,month,day,hour,minute,report: the report is not quoted and may hold commas. */
const ROW = /^([^,]*),(\d{4}),(\d\d),(\d\d),(\d\d),(\d\d),(.*)$/;

/** Ogimet: an independent collection that keeps METAR, SPECI, COR and NIL, from 2005 on. */
export function ogimet(host: string = HOST): RemoteSource {
  return {
    kind: 'remote',
    source: 'ogimet',
    rateLimit: { intervalSeconds: 60, parallel: 1 },
    givesAllStations: false,
    requests: (slice) => [{ url: host + path(slice) }],
    parse,
    stationDirectory: { kind: 'none' },
  };
}

/**
 * Reports are filed under the slot of their bulletin, which is wrong for 1.2 % of them, sometimes by a day; so a day
 * more is asked for at both ends, and a report's own time decides to which slice it belongs. `end` is inclusive.
 */
function path(slice: Slice): string {
  const { from, to } = asked(slice);
  return `/cgi-bin/getmetar?icao=${slice.station}&begin=${stamp(from)}&end=${stamp(to - 60)}&lang=eng&header=yes`;
}

function asked({ firstDay, endDay }: Slice): { readonly from: number; readonly to: number } {
  return { from: dayStart(firstDay) - SECONDS_PER_DAY, to: dayStart(endDay) + SECONDS_PER_DAY };
}

/** YYYYMMDDHHMM. */
function stamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/[-T:]/g, '').slice(0, 12);
}

async function parse(body: Body, slice: Slice): Promise<ParsedBody> {
  const window = asked(slice);
  const skipped: SkipCounts = {};
  const rows: SourceRow[] = [];
  let headed = false;
  let last = window.from;
  let tail = '';
  const { ended } = await forEachLine(body, (line) => {
    refuse(line);
    tail = line;
    if (line === '' || line.startsWith('#')) return;
    if (!headed && line.startsWith('ESTACION,')) {
      headed = true;
      return;
    }
    const row = readRow(line);
    if (row === undefined) {
      if (!headed && rows.length === 0)
        throw new InvalidResponseError(`no rows but ${JSON.stringify(line.slice(0, 80))}`);
      return skip(skipped, 'unreadable row');
    }
    last = Math.max(last, row.filedAt);
    if (row.station !== slice.station) skip(skipped, 'wrong station');
    else rows.push(row);
  });
  if (!headed && rows.length === 0) throw new InvalidResponseError('an empty body');
  if (!ended && !tail.endsWith('=')) throw new InvalidResponseError('the last line is cut');

  const rowCount = rows.length + Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const quietFrom = Math.min(window.to, Date.now() / 1000) - QUIET_SECONDS;
  const suspicion =
    rowCount === 0
      ? 'no reports at all'
      : rowCount >= MOST_REPORTS
        ? 'as many reports as Ogimet ever sends'
        : skipped['unreadable row'] !== undefined
          ? 'rows that cannot be read'
          : last < quietFrom
            ? `nothing after ${new Date(last * 1000).toISOString()}`
            : undefined;
  const observedWithin = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  return { rows, skipped, observedWithin, ...(suspicion === undefined ? {} : { suspicion }) };
}

/** Texts that stand for an answer, under whatever status: the throttle is waited out, a wrong date is our mistake. */
function refuse(line: string): void {
  if (/^#Sorry|quota limit/i.test(line)) throw new InvalidResponseError(line.slice(0, 120));
  if (/^La fecha de .* no es correcta/.test(line)) throw new RejectedRequestError(line.slice(0, 120));
}

/** The rows of a file in getmetar's format, whose header is optional; `undefined` where the line is neither. */
export function ogimetRowParser(line: string): RowParser | undefined {
  if (!line.startsWith('ESTACION,') && readRow(line) === undefined) return undefined;
  return (row) => {
    const sent = readRow(row);
    if (sent === undefined) return 'unreadable row';
    return ICAO_CODE.test(sent.station) ? sent : 'not an ICAO code';
  };
}

function readRow(line: string): SourceRow | undefined {
  const match = ROW.exec(line);
  if (match === null) return undefined;
  const [, station = '', year, month, day, hour, minute, text = ''] = match;
  const filed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(filed) ? undefined : { station, filedAt: filed / 1000, text };
}
