import { type Replay, serve } from './replay-server.ts';

/** What a static file server is known to do wrong. */
export const NCEI_FAULTS = {
  overloaded: '503',
  html: 'a page for people under 200',
  'cut connection': 'the connection breaks half way',
  'cut line': 'the body ends within a line',
  empty: 'not even a header',
} as const;
export type NceiFault = keyof typeof NCEI_FAULTS;

/** A station's number in ISD, with the days of isd-history.csv, `YYYYMMDD`. */
export type Numbered = {
  readonly usaf: string;
  readonly wban: string;
  readonly icao: string;
  readonly begin: string;
  readonly end: string;
};

/** A row of a station's file. */
export type IsdRow = {
  readonly id: string;
  /** `YYYY-MM-DDTHH:MM:SS`. */
  readonly date: string;
  readonly type: string;
  readonly callSign?: string;
  readonly remarks: string;
};

const HISTORY = [
  'USAF',
  'WBAN',
  'STATION NAME',
  'CTRY',
  'STATE',
  'ICAO',
  'LAT',
  'LON',
  'ELEV(M)',
  'BEGIN',
  'END',
];
const COLUMNS = ['STATION', 'DATE', 'SOURCE', 'NAME', 'REPORT_TYPE', 'CALL_SIGN', 'WND', 'AW1', 'REM', 'EQD'];

/** Serves `isd-history.csv` and the year files of global-hourly; 404 for what is not there. */
export function replayNcei(
  stations: readonly Numbered[],
  rows: readonly IsdRow[],
  faults: readonly (NceiFault | 'none')[] = [],
): Promise<Replay> {
  return serve(faults, (url, response, next, request) => {
    if (url.pathname === '/pub/data/noaa/isd-history.csv') {
      response.end([HISTORY, ...stations.map(historyOf)].map(csvLine).join(''));
      return;
    }
    const [, year, id] = /^\/data\/global-hourly\/access\/(\d{4})\/(\w{11})\.csv$/.exec(url.pathname) ?? [];
    const found = rows.filter((row) => row.id === id && row.date.startsWith(`${year}-`));
    if (found.length === 0) {
      response.writeHead(404).end('Not Found');
      return;
    }
    const body = [COLUMNS, ...found.map(rowOf)].map(csvLine).join('');
    switch (next()) {
      case 'none':
        response.end(body);
        return;
      case 'overloaded':
        response.writeHead(503).end();
        return;
      case 'html':
        response.end('<!DOCTYPE html>\n<html></html>\n');
        return;
      case 'cut connection':
        response.writeHead(200, { 'content-length': body.length });
        response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
        return;
      case 'cut line':
        response.end(body.slice(0, -12));
        return;
      case 'empty':
        response.end();
        return;
    }
  });
}

function historyOf({ usaf, wban, icao, begin, end }: Numbered): readonly string[] {
  return [
    usaf,
    wban,
    'SOMEWHERE, "OVER" THERE',
    'US',
    '',
    icao,
    '+40.000',
    '-073.000',
    '+0004.0',
    begin,
    end,
  ];
}

function rowOf({ id, date, type, callSign = '99999', remarks }: IsdRow): readonly string[] {
  return [id, date, '4', 'SOMEWHERE, US', `${type} `, callSign, '180,1,N,0021,1', '', remarks, ''];
}

/** Every value quoted, but empty ones bare, as NCEI does. */
function csvLine(values: readonly string[]): string {
  return `${values.map((value) => (value === '' ? '' : `"${value.replaceAll('"', '""')}"`)).join(',')}\n`;
}

/** A MET block of REM, with its length, or with a wrong one. */
export function met(text: string, length: number = text.length): string {
  return `MET${String(length).padStart(3, '0')}${text}`;
}
