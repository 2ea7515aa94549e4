import { gzipSync } from 'node:zlib';
import { type NetcdfVariable, netcdfFile } from './netcdf-file.ts';
import { type Replay, serve } from './replay-server.ts';

/** A record of an hour file; `time` is that of the record, `2024-01-01T00:51:00Z`. */
export type MadisReport = {
  readonly time: string;
  readonly station: string;
  readonly type: string;
  readonly raw: string;
};

export const MADIS_VARIABLES: readonly NetcdfVariable[] = [
  { name: 'stationName', width: 5 },
  { name: 'latitude' },
  { name: 'timeObs' },
  { name: 'reportType', width: 6 },
  { name: 'rawMETAR', width: 256 },
];

/** What comes in place of a file. */
const FAULTS = {
  'a page of HTML': (_: Buffer) => Buffer.from('<html><body>Come back later</body></html>'),
  'half of the file': (file: Buffer) => file.subarray(0, file.length / 2),
  'a file of gzip that is no NetCDF': () => gzipSync('station,valid,metar\n'),
} as const;
export type MadisFault = keyof typeof FAULTS | '503' | '404';
export const MADIS_FAULTS = [...Object.keys(FAULTS), '503', '404'] as readonly MadisFault[];

/** Serves the hour files of these reports; 404 for an hour without any. */
export function replayMadis(
  reports: readonly MadisReport[],
  faults: readonly (MadisFault | 'none')[] = [],
): Promise<Replay<MadisFault>> {
  const files = new Map<string, MadisReport[]>();
  for (const report of reports) {
    const path = pathOf(report.time);
    files.set(path, [...(files.get(path) ?? []), report]);
  }
  return serve<MadisFault>(faults, ({ url, response, next }) => {
    const found = files.get(url.pathname);
    if (found === undefined) return void response.writeHead(404).end('Not Found');
    const [file, fault] = [madisFile(found), next()];
    if (fault === '503' || fault === '404') response.writeHead(Number(fault)).end();
    else response.end(fault === 'none' ? file : FAULTS[fault](file));
  });
}

function madisFile(reports: readonly MadisReport[]): Buffer {
  const records = reports.map(({ time, station, type, raw }) => ({
    stationName: station,
    latitude: 51.5,
    timeObs: time === '' ? 1.797e308 : Date.parse(time) / 1000,
    reportType: type,
    rawMETAR: raw.slice(0, 255),
  }));
  return gzipSync(netcdfFile(MADIS_VARIABLES, records));
}

/** The file of an hour holds what was observed from a quarter of an hour before it on. */
function pathOf(time: string): string {
  const hour = new Date((time === '' ? Date.UTC(2024, 0, 1) : Date.parse(time)) + 15 * 60_000).toISOString();
  const [day, month, year] = [hour.slice(8, 10), hour.slice(5, 7), hour.slice(0, 4)];
  return `/madisPublic1/data/archive/${year}/${month}/${day}/point/metar/netcdf/${year}${month}${day}_${hour.slice(11, 13)}00.gz`;
}
