import { ARCHIVE, ARCHIVE_STATIONS } from './archive/endpoint.ts';
import { answerArchiveStations, archiveRoute } from './archive/route.ts';
import type { RouteContext } from './compose.ts';
import { type Endpoint, pathsOf } from './contract/endpoint.ts';
import { COVERAGE } from './coverage/endpoint.ts';
import { answerCoverage } from './coverage/route.ts';
import { FILE_PATHS } from './files/endpoint.ts';
import { answerFiles } from './files/route.ts';
import { HOURLY } from './hourly/endpoint.ts';
import { answerHourly } from './hourly/route.ts';
import type { Route, RouteEntry } from './http/http-request.ts';
import { OBSERVATIONS } from './observations/endpoint.ts';
import { answerObservations } from './observations/route.ts';
import { STATIONS } from './stations/endpoint.ts';
import { answerStations } from './stations/route.ts';
import { STATISTICS } from './statistics/endpoint.ts';
import { answerStatistics } from './statistics/route.ts';

/** Every endpoint of the archive with its route. */
const ROUTES: readonly (readonly [Endpoint, (context: RouteContext) => Route])[] = [
  [OBSERVATIONS, (context) => (ctx) => answerObservations(ctx, context)],
  [HOURLY, (context) => (ctx) => answerHourly(ctx, context)],
  [STATISTICS, (context) => (ctx) => answerStatistics(ctx, context)],
  [COVERAGE, (context) => (ctx) => answerCoverage(ctx, context)],
  [STATIONS, (context) => (ctx) => answerStations(ctx, context)],
  [ARCHIVE, archiveRoute],
  [ARCHIVE_STATIONS, (context) => (ctx) => answerArchiveStations(ctx, context)],
];

export const ENDPOINTS: readonly Endpoint[] = ROUTES.map(([endpoint]) => endpoint);

/** The routes of all paths. */
export function endpointRoutes(context: RouteContext): readonly RouteEntry[] {
  const routes = ROUTES.flatMap(([endpoint, route]) => {
    const handle = route(context);
    return [...pathsOf(endpoint).keys()].map((path): RouteEntry => [path, { label: endpoint.name, handle }]);
  });
  const files = FILE_PATHS.map(
    (path): RouteEntry => [path, { label: 'files', handle: (ctx) => answerFiles(ctx, context) }],
  );
  return [...routes, ...files];
}
