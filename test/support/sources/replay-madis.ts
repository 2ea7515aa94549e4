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

export const MADIS_FAULTS = {
  'no gzip': 'a page of HTML',
  cut: 'half of the file',
  'another file': 'a file of gzip that is no NetCDF',
  broken: '503',
} as const;
export type MadisFault = keyof typeof MADIS_FAULTS;

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
    const file = madisFile(found);
    switch (next()) {
      case 'no gzip':
        return void response.end('<html><body>Come back later</body></html>');
      case 'cut':
        return void response.end(file.subarray(0, file.length / 2));
      case 'another file':
        return void response.end(gzipSync('station,valid,metar\n'));
      case 'broken':
        return void response.writeHead(503).end();
      default:
        response.end(file);
    }
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
