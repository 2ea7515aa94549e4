import type { ServerResponse } from 'node:http';
import type { IemReport } from './iem-reports.ts';
import { LINE_FAULTS, REFUSALS, sendLines } from './replay-faults.ts';
import { byTime, type Row, readFolder, rowsOf } from './replay-iem-rows.ts';
import { type Exchange, type Replay, serve } from './replay-server.ts';

/** Faults that IEM has shown, most of them under 200. */
export const FAULTS = {
  ...REFUSALS,
  ...LINE_FAULTS,
  'error text': 'an error text under 200',
} as const;
export type Fault = keyof typeof FAULTS;

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
  if (period === undefined) {
    response.writeHead(404).end('{"detail":"No stations found for provided station."}');
    return;
  }
  const network = `${station.length === 3 ? 'NY' : 'CA_QC'}_ASOS`;
  const data = [{ index: 0, id: station, network, online: true, ...period }];
  response.end(JSON.stringify({ schema: { fields: [], primaryKey: ['index'] }, data }));
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

function sendReports(
  { url: { searchParams }, request, response, next }: Exchange<Fault>,
  rows: ReadonlyMap<string, readonly Row[]>,
): void {
  response.setHeader('content-type', 'text/plain; charset=UTF-8');
  const rejection = rejectionOf(searchParams);
  if (rejection !== undefined) {
    response.writeHead(rejection.status).end(rejection.text);
    return;
  }
  const body = render(searchParams, rows);
  const fault = body.indexOf('\n') < body.length - 1 ? next() : 'none';
  if (fault === 'error text') response.end('ERROR: server over capacity, please try later\n');
  else sendLines(request, response, fault, body);
}

function rejectionOf(query: URLSearchParams): { readonly status: number; readonly text: string } | undefined {
  const stations = query.getAll('station').flatMap((list) => list.split(','));
  if (stations.some((station) => !/^[A-Z0-9_]{3,4}$/.test(station)))
    return { status: 422, text: '[station]' };
  const { sts, ets } = windowOf(query);
  if (Number.isNaN(sts) || Number.isNaN(ets)) return { status: 422, text: 'Invalid times provided.' };
  if (stations.length === 0 && ets - sts > 86_400_000)
    return { status: 400, text: 'When requesting all-stations, must be less than 24 hours.' };
  return undefined;
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
