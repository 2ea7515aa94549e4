import type { Archive } from '../clickhouse/archive.ts';
import { ARCHIVE, ARCHIVE_STATIONS } from './archive/endpoint.ts';
import { archiveRoute, archiveStationsRoute } from './archive/route.ts';
import { type Endpoint, pathsOf } from './contract/endpoint.ts';
import { COVERAGE } from './coverage/endpoint.ts';
import { answerCoverage } from './coverage/route.ts';
import { HOURLY } from './hourly/endpoint.ts';
import { answerHourly } from './hourly/route.ts';
import type { Service } from './http/accept-request.ts';
import type { Route, RouteEntry } from './http/http-request.ts';
import { OBSERVATIONS } from './observations/endpoint.ts';
import type { PageReader } from './observations/page-reader.ts';
import { answerObservations } from './observations/route.ts';
import { STATIONS } from './stations/endpoint.ts';
import { answerStations } from './stations/route.ts';
import { STATISTICS } from './statistics/endpoint.ts';
import { answerStatistics } from './statistics/route.ts';

/** What the routes work with. */
type Readers = Service & { readonly archive: Archive; readonly pages: PageReader };

/** Every endpoint of the archive with its route. */
const ROUTES: readonly (readonly [Endpoint, (service: Readers) => Route])[] = [
  [OBSERVATIONS, (service) => (ctx) => answerObservations(ctx, service, service.pages)],
  [HOURLY, (service) => (ctx) => answerHourly(ctx, service)],
  [STATISTICS, (service) => (ctx) => answerStatistics(ctx, service)],
  [COVERAGE, (service) => (ctx) => answerCoverage(ctx, service)],
  [STATIONS, (service) => (ctx) => answerStations(ctx, service)],
  [ARCHIVE, ({ archive }) => archiveRoute(archive)],
  [ARCHIVE_STATIONS, ({ archive }) => archiveStationsRoute(archive)],
];

export const ENDPOINTS: readonly Endpoint[] = ROUTES.map(([endpoint]) => endpoint);

/** The routes of all paths. */
export function endpointRoutes(service: Readers): readonly RouteEntry[] {
  return ROUTES.flatMap(([endpoint, route]) => {
    const handle = route(service);
    return [...pathsOf(endpoint).keys()].map((path): RouteEntry => [path, { label: endpoint.name, handle }]);
  });
}
