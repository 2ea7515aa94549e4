import type { Archive } from '../../../clickhouse/archive.ts';
import { readCoverageStates } from '../../../clickhouse/coverage/state/state.ts';
import { type Page, type PageRequest, readPage } from '../../../clickhouse/observations/page/page.ts';
import { NO_LIMIT } from './archive.ts';

/** A page, for whose windows the coverage is read. */
export async function readOnePage(
  archive: Archive,
  request: PageRequest,
  signal: AbortSignal = NO_LIMIT,
): Promise<Page> {
  const states = await readCoverageStates(archive, request.stations, signal);
  return readPage(archive, request, states, signal);
}
