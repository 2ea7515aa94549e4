import type { Context } from 'koa';
import { ARCHIVE, ARCHIVE_STATIONS } from './archive/endpoint.ts';
import { answerArchive, answerArchiveStations } from './archive/route.ts';
import type { RouteContext } from './compose.ts';
import { type Endpoint, pathsOf } from './contract/endpoint.ts';
import { COVERAGE } from './coverage/endpoint.ts';
import { answerCoverage } from './coverage/route.ts';
import { FILE_PATHS } from './files/endpoint.ts';
import { answerFiles } from './files/route.ts';
import type { RouteEntry } from './http/http-request.ts';
import { OBSERVATIONS } from './observations/endpoint.ts';
import { answerObservations } from './observations/route.ts';
import { DAILY_RECORDS, HOURLY, MONTHLY_RECORDS, NORMALS_RECORDS } from './series/endpoint.ts';
import { answerHourly, answerRecords } from './series/route.ts';
import { STATIONS } from './stations/endpoint.ts';
import { answerStations } from './stations/route.ts';
import { STATISTICS } from './statistics/endpoint.ts';
import { answerStatistics } from './statistics/route.ts';

type EndpointRoute = (ctx: Context, context: RouteContext) => Promise<void>;

const ROUTES: readonly (readonly [Endpoint, EndpointRoute])[] = [
  [OBSERVATIONS, answerObservations],
  [HOURLY, answerHourly],
  ...[DAILY_RECORDS, MONTHLY_RECORDS, NORMALS_RECORDS].map(
    (endpoint) => [endpoint, answerRecords(endpoint)] as const,
  ),
  [STATISTICS, answerStatistics],
  [COVERAGE, answerCoverage],
  [STATIONS, answerStations],
  [ARCHIVE, answerArchive],
  [ARCHIVE_STATIONS, answerArchiveStations],
];

export const ENDPOINTS: readonly Endpoint[] = ROUTES.map(([endpoint]) => endpoint);

export function endpointRoutes(context: RouteContext): readonly RouteEntry[] {
  const entry = (path: string, label: string, answer: EndpointRoute): RouteEntry => [
    path,
    { label, handle: (ctx) => answer(ctx, context) },
  ];
  return [
    ...ROUTES.flatMap(([endpoint, answer]) =>
      [...pathsOf(endpoint).keys()].map((path) => entry(path, endpoint.name, answer)),
    ),
    ...FILE_PATHS.map((path) => entry(path, 'files', answerFiles)),
  ];
}
