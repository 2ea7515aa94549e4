import type { ServerResponse } from 'node:http';
import type { IemReport } from './iem-reports.ts';
import { type Fault, sendLines } from './replay-faults.ts';
import { byTime, type Row, readFolder, rowsOf } from './replay-iem-rows.ts';
import { type Exchange, type Replay, serve } from './replay-server.ts';

type Period = { readonly archive_begin: string | null; readonly archive_end: string | null };

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

/** Serves reports, or a folder of station-year files, as IEM does, with the faults of the schedule. */
export async function replayIem(
  source: readonly IemReport[] | string,
  { faults = [], periods = {} }: ReplayOptions = {},
): Promise<IemReplay> {
  const rows = typeof source === 'string' ? await readFolder(source) : rowsOf(source);
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

function sendReports(exchange: Exchange<Fault>, rows: ReadonlyMap<string, readonly Row[]>): void {
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
function render(query: URLSearchParams, rows: ReadonlyMap<string, readonly Row[]>): string {
  const places = query.get('latlon') === 'yes' ? ['lon', 'lat'] : [];
  const columns = [...places, ...query.getAll('data').flatMap((list) => list.split(','))];
  const { sts, ets } = windowOf(query);
  const from = validOf(sts);
  const to = validOf(ets);
  const requested = query.getAll('station').flatMap((list) => list.split(','));
  const stations = requested.length === 0 ? [...rows.keys()] : requested;
  const types = query.getAll('report_type').flatMap((list) => list.split(','));
  const found = stations
    .flatMap((station) => (rows.get(station) ?? []).filter(({ valid }) => valid >= from && valid < to))
    .filter(({ reportType }) => types.includes(reportType))
    .sort(byTime);
  const lines = found.map(({ station, valid, values }) =>
    [station, valid, ...columns.map((column) => values.get(column) ?? 'M')].join(','),
  );
  return [['station', 'valid', ...columns].join(','), ...lines, ''].join('\n');
}

/** The form of `valid`: `2024-01-31 23:51`. */
function validOf(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().slice(0, 16).replace('T', ' ');
}
