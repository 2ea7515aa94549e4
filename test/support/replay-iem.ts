import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { byTime, type Row, readFolder } from './replay-iem-rows.ts';

/** What IEM is known to do wrong, most of it under 200. */
export const FAULTS = {
  throttled: '429 without Retry-After',
  'throttled with Retry-After': '429 that asks for one second',
  'over capacity': '503',
  broken: '500 with a text for people',
  'error text': 'the text of an error under 200',
  html: 'a page for people under 200',
  'header only': 'no rows though there are some',
  empty: 'not even a header',
  'cut connection': 'the connection breaks half way',
  'cut line': 'the body ends within a line',
  'cut between lines': 'the body ends after half of its rows',
  thinned: 'rows missing all over, so that nothing but their number tells',
  unprocessable: '422',
} as const;
export type Fault = keyof typeof FAULTS;

export type Period = { readonly archive_begin: string | null; readonly archive_end: string | null };

export type ReplayOptions = {
  readonly folder: string;
  /** What happens to the reports asked for, one entry a request, in order; whole answers afterwards. */
  readonly faults?: readonly (Fault | 'none')[];
  /** Metadata by IEM's station id; 404 for any other. */
  readonly periods?: Readonly<Record<string, Period>>;
  readonly port?: number;
};

export type Replay = {
  readonly url: string;
  /** Path and query of every request for reports, with the time it arrived. */
  readonly requests: readonly { readonly path: string; readonly at: number }[];
  readonly metadataRequests: number;
  /** Ends the replay; throws when a fault of the schedule never happened. */
  close(): Promise<void>;
};

/** Serves a folder of station-year files as IEM would, and misbehaves where the schedule says so. */
export async function replayIem({
  folder,
  faults = [],
  periods = {},
  port = 0,
}: ReplayOptions): Promise<Replay> {
  const rows = await readFolder(folder);
  const schedule = [...faults];
  const requests: { path: string; at: number }[] = [];
  let metadataRequests = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://replay');
    const station = /^\/api\/1\/station\/([A-Z0-9_]+)\.json$/.exec(url.pathname)?.[1];
    if (station !== undefined) {
      metadataRequests += 1;
      answerMetadata(response, station, periods[station]);
    } else if (url.pathname === '/geojson/network/AZOS.geojson') {
      metadataRequests += 1;
      answerNetwork(response, periods);
    } else if (url.pathname === '/cgi-bin/request/asos.py') {
      requests.push({ path: request.url ?? '', at: performance.now() });
      answerReports(request, response, url.searchParams, rows, schedule.shift() ?? 'none');
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get metadataRequests() {
      return metadataRequests;
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      const never = schedule.filter((fault) => fault !== 'none');
      if (never.length > 0) throw new Error(`faults that never happened: ${never.join(', ')}`);
    },
  };
}

function answerMetadata(response: ServerResponse, station: string, period: Period | undefined): void {
  response.setHeader('content-type', 'application/json');
  if (period === undefined) {
    response.writeHead(404).end('{"detail":"No stations found for provided station."}');
    return;
  }
  const network = `${station.length === 3 ? 'NY' : 'CA_QC'}_ASOS`;
  const data = [{ index: 0, id: station, network, online: true, ...period }];
  response.end(JSON.stringify({ schema: { fields: [], primaryKey: ['index'] }, data }));
}

function answerNetwork(response: ServerResponse, periods: Readonly<Record<string, Period>>): void {
  const features = Object.entries(periods).map(([id, period]) => ({
    type: 'Feature',
    id,
    properties: { sid: id, network: 'XX__ASOS', ...period },
  }));
  response.setHeader('content-type', 'application/vnd.geo+json');
  response.end(JSON.stringify({ type: 'FeatureCollection', features }));
}

function answerReports(
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  rows: ReadonlyMap<string, readonly Row[]>,
  fault: Fault | 'none',
): void {
  response.setHeader('content-type', 'text/plain; charset=UTF-8');
  const refusal = refuse(query);
  if (refusal !== undefined) {
    response.writeHead(refusal.status).end(refusal.text);
    return;
  }
  const body = render(query, rows);
  const half = body.slice(0, body.indexOf('\n', body.length / 2) + 1);
  switch (fault) {
    case 'none':
      response.end(body);
      return;
    case 'throttled':
      response.writeHead(429).end('Too many requests from your IP address, slow down.');
      return;
    case 'throttled with Retry-After':
      response
        .writeHead(429, { 'retry-after': '1' })
        .end('Too many requests from your IP address, slow down.');
      return;
    case 'over capacity':
      response.writeHead(503).end('ERROR: server over capacity, please try later');
      return;
    case 'broken':
      response.writeHead(500).end('Oopsy, something failed on our end...');
      return;
    case 'unprocessable':
      response.writeHead(422).end('Invalid times provided.');
      return;
    case 'error text':
      response.end('ERROR: server over capacity, please try later\n');
      return;
    case 'html':
      response.end(
        '<!DOCTYPE html>\n<html><head><title>Sorry</title></head><body>Come back later</body></html>\n',
      );
      return;
    case 'header only':
      response.end(body.slice(0, body.indexOf('\n') + 1));
      return;
    case 'empty':
      response.end();
      return;
    case 'thinned':
      response.end(thinned(body));
      return;
    case 'cut between lines':
      response.end(half);
      return;
    case 'cut line':
      response.end(half.slice(0, -10));
      return;
    case 'cut connection':
      response.write(half.slice(0, -10), () => request.socket.destroy());
      return;
  }
}

/** Every fifth row, and the last. */
function thinned(body: string): string {
  const [header = '', ...rows] = body.trimEnd().split('\n');
  return `${[header, ...rows.filter((_, at) => (rows.length - 1 - at) % 5 === 0)].join('\n')}\n`;
}

function refuse(query: URLSearchParams): { readonly status: number; readonly text: string } | undefined {
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

/** The columns that were asked for, of the stations that were asked for, clipped to the window. */
function render(query: URLSearchParams, rows: ReadonlyMap<string, readonly Row[]>): string {
  const places = query.get('latlon') === 'yes' ? ['lon', 'lat'] : [];
  const columns = [...places, ...query.getAll('data').flatMap((list) => list.split(','))];
  const { sts, ets } = windowOf(query);
  const from = validOf(sts);
  const to = validOf(ets);
  const asked = query.getAll('station').flatMap((list) => list.split(','));
  const stations = asked.length === 0 ? [...rows.keys()] : asked;
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

/** `2024-01-31 23:51`, as `valid` is printed. */
function validOf(epochMilliseconds: number): string {
  return new Date(epochMilliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, port] = process.argv.slice(2);
  if (folder === undefined)
    throw new Error('Usage: node --import tsx test/support/replay-iem.ts FOLDER [PORT]');
  const { url } = await replayIem({ folder, port: Number(port ?? 0) });
  console.log(`replaying ${folder} on ${url}`);
}
