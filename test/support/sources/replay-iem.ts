import type { ServerResponse } from 'node:http';
import { byTime, type IemReport } from './iem-reports.ts';
import { type Fault, sendLines } from './replay-faults.ts';
import { type Exchange, type Replay, serve } from './replay-server.ts';

type Period = Readonly<Record<'archive_begin' | 'archive_end', string | null>> & {
  readonly tzname?: string;
};

export type ReplayOptions = {
  /** One entry for each request that has reports, in order; later requests get a complete response. */
  readonly faults?: readonly (Fault | 'none')[];
  /** Metadata by IEM's station id; 404 for any other. */
  readonly periods?: Readonly<Record<string, Period>>;
};

export type IemReplay = Omit<Replay<Fault>, 'requests'> & {
  /** Path and query of every request for reports, with the time it arrived. */
  readonly requests: readonly { readonly path: string; readonly at: number }[];
  readonly metadataRequests: number;
};

/** A report as IEM types it: 3 is routine, which the first of a station and hour is here; 4 is special. */
type Row = IemReport & { readonly reportType: '3' | '4' };

/** Serves reports as IEM does, with the faults of the schedule. */
export async function replayIem(
  reports: readonly IemReport[],
  { faults = [], periods = {} }: ReplayOptions = {},
): Promise<IemReplay> {
  const hours = new Set<string>();
  const rows = reports.toSorted(byTime).map((report): Row => {
    const hour = `${report.id} ${report.valid.slice(0, 13)}`;
    const reportType = hours.has(hour) ? '4' : '3';
    hours.add(hour);
    return { ...report, reportType };
  });
  const requests: { path: string; at: number }[] = [];
  let metadataRequests = 0;
  const replay = await serve<Fault>(faults, (exchange) => {
    const { url, request, response } = exchange;
    const station = /^\/api\/1\/station\/([A-Z0-9_]+)\.json$/.exec(url.pathname)?.[1];
    if (station !== undefined) {
      metadataRequests += 1;
      sendMetadata(response, station, periods[station]);
    } else if (url.pathname === '/geojson/network/AZOS.geojson') {
      metadataRequests += 1;
      sendNetwork(response, periods);
    } else if (url.pathname === '/cgi-bin/request/asos.py') {
      requests.push({ path: request.url ?? '', at: performance.now() });
      sendReports(exchange, rows);
    } else response.writeHead(404).end();
  });
  return {
    ...replay,
    requests,
    get metadataRequests() {
      return metadataRequests;
    },
  };
}

function sendMetadata(response: ServerResponse, station: string, period: Period | undefined): void {
  response.setHeader('content-type', 'application/json');
  const network = `${station.length === 3 ? 'NY' : 'CA_QC'}_ASOS`;
  const data = [{ index: 0, id: station, network, online: true, ...period }];
  if (period !== undefined)
    response.end(JSON.stringify({ schema: { fields: [], primaryKey: ['index'] }, data }));
  else response.writeHead(404).end('{"detail":"No stations found for provided station."}');
}

function sendNetwork(response: ServerResponse, periods: Readonly<Record<string, Period>>): void {
  const features = Object.entries(periods).map(([id, period]) => ({
    type: 'Feature',
    id,
    properties: { sid: id, network: 'XX__ASOS', ...period },
  }));
  response.setHeader('content-type', 'application/vnd.geo+json');
  response.end(JSON.stringify({ type: 'FeatureCollection', features }));
}

function sendReports(exchange: Exchange<Fault>, rows: readonly Row[]): void {
  const { response } = exchange;
  response.setHeader('content-type', 'text/plain; charset=UTF-8');
  const { searchParams } = exchange.url;
  const [status, text] = rejectionOf(searchParams) ?? [];
  if (status !== undefined) return void response.writeHead(status).end(text);
  const body = render(searchParams, rows);
  if (body.indexOf('\n') < body.length - 1) sendLines(exchange, body);
  else response.end(body);
}

function rejectionOf(query: URLSearchParams): readonly [status: number, text: string] | undefined {
  const stations = query.getAll('station').flatMap((list) => list.split(','));
  if (stations.some((station) => !/^[A-Z0-9_]{3,4}$/.test(station))) return [422, '[station]'];
  const { sts, ets } = windowOf(query);
  if (Number.isNaN(sts) || Number.isNaN(ets)) return [422, 'Invalid times provided.'];
  const isLong = stations.length === 0 && ets - sts > 86_400_000;
  return isLong ? [400, 'When requesting all-stations, must be less than 24 hours.'] : undefined;
}

function windowOf(query: URLSearchParams): { readonly sts: number; readonly ets: number } {
  const time = (name: string) => {
    const text = query.get(name) ?? '';
    return /(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  };
  return { sts: time('sts'), ets: time('ets') };
}

/** The requested columns of the requested stations within the window. */
function render(query: URLSearchParams, rows: readonly Row[]): string {
  const places = query.get('latlon') === 'yes' ? ['lon', 'lat'] : [];
  const listOf = (name: string) => query.getAll(name).flatMap((list) => list.split(','));
  const [columns, stations, types] = [
    [...places, ...listOf('data')],
    listOf('station'),
    listOf('report_type'),
  ];
  const { sts, ets } = windowOf(query);
  const [from, to] = [validOf(sts), validOf(ets)];
  const found = rows.filter(
    ({ id, valid, reportType }) =>
      (stations.length === 0 || stations.includes(id)) &&
      valid >= from &&
      valid < to &&
      types.includes(reportType),
  );
  const lines = found.map(({ id, valid, metar }) => {
    const values: Readonly<Record<string, string>> = { lon: '-73.7000', lat: '45.4000', metar };
    return [id, valid, ...columns.map((column) => values[column] ?? 'M')].join(',');
  });
  return [['station', 'valid', ...columns].join(','), ...lines, ''].join('\n');
}

/** The form of `valid`: `2024-01-31 23:51`. */
function validOf(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().slice(0, 16).replace('T', ' ');
}
