import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { type Fault, sendLines } from './replay-faults.ts';
import { type Replay, serve } from './replay-server.ts';

/** A row of isd-history.csv: a station id of ISD (USAF and WBAN) with its first and last day, `YYYYMMDD`. */
export type IsdStation = {
  readonly usaf: string;
  readonly wban: string;
  readonly icao: string;
  readonly begin: string;
  readonly end: string;
};

/** A row of a year file of global-hourly. */
export type IsdRow = {
  readonly id: string;
  /** `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string;
  readonly type: string;
  readonly callSign?: string;
  readonly remarks: string;
  /** The column EQD. */
  readonly qualityData?: string;
};

const HISTORY = 'USAF,WBAN,STATION NAME,CTRY,STATE,ICAO,LAT,LON,ELEV(M),BEGIN,END'.split(',');
const COLUMNS = ['STATION', 'DATE', 'SOURCE', 'NAME', 'REPORT_TYPE', 'CALL_SIGN', 'WND', 'AW1', 'REM', 'EQD'];

/** Serves `isd-history.csv`, the year files of global-hourly and the archives of whole years; 404 for any other path. */
export function replayNcei(
  stations: readonly IsdStation[],
  rows: readonly IsdRow[],
  faults: readonly (Fault | 'none')[] = [],
): Promise<Replay<Fault>> {
  const fileOf = (some: readonly IsdRow[]) => [COLUMNS, ...some.map(rowOf)].map(csvLine).join('');
  return serve(faults, (exchange) => {
    const { url, request, response, next } = exchange;
    const archive = /^\/data\/global-hourly\/archive\/csv\/(\d{4})\.tar\.gz$/.exec(url.pathname)?.[1];
    if (archive !== undefined) {
      const ofYear = rows.filter(({ date }) => date.startsWith(`${archive}-`));
      const fault = next();
      if (fault === 'over capacity') return void response.writeHead(503).end();
      const tar = pack();
      for (const id of new Set(ofYear.map((row) => row.id)))
        tar.entry({ name: `${id}.csv` }, fileOf(ofYear.filter((row) => row.id === id)));
      tar.finalize();
      // A connection that breaks.
      if (fault === 'cut connection')
        response.write('', () => setTimeout(() => request.socket.destroy(), 20));
      else tar.pipe(createGzip()).pipe(response);
      return;
    }
    if (url.pathname === '/pub/data/noaa/isd-history.csv')
      return void response.end([HISTORY, ...stations.map(historyOf)].map(csvLine).join(''));
    const [, year, id] = /^\/data\/global-hourly\/access\/(\d{4})\/(\w{11})\.csv$/.exec(url.pathname) ?? [];
    const found = rows.filter((row) => row.id === id && row.date.startsWith(`${year}-`));
    if (found.length === 0) response.writeHead(404).end('Not Found');
    else sendLines(exchange, fileOf(found));
  });
}

function historyOf({ usaf, wban, icao, begin, end }: IsdStation): readonly string[] {
  const place = ['US', '', icao, '+40.000', '-073.000', '+0004.0'];
  return [usaf, wban, 'SOMEWHERE, "OVER" THERE', ...place, begin, end];
}

function rowOf({ id, date, type, callSign = '99999', remarks, qualityData = '' }: IsdRow): readonly string[] {
  return [id, date, '4', 'SOMEWHERE, US', `${type} `, callSign, '180,1,N,0021,1', '', remarks, qualityData];
}

/** As NCEI writes it: every value in quotes except empty ones. */
function csvLine(values: readonly string[]): string {
  return `${values.map((value) => (value === '' ? '' : `"${value.replaceAll('"', '""')}"`)).join(',')}\n`;
}

/** A MET block of the REM column; `length` is the stated length, which may be wrong. */
export function metBlock(text: string, length: number = text.length): string {
  return `MET${String(length).padStart(3, '0')}${text}`;
}
