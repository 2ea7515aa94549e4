import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import type { FreshRange } from './fresh-ranges.ts';
import { openOtherCheckout } from './other-checkout.ts';
import { measureRepeatedPages, type RepeatedPages } from './repeated-pages.ts';
import { runSlowReaders } from './slow-readers.ts';
import { measureStreams, type StreamResult } from './streams.ts';
import { measureWalkingClients, WALKING_CLIENTS, type WalkingClients } from './walking-clients.ts';

// Walks, repeated pages, streams and clients beside one another. Each part asks for ranges that no part before it asked
// for, so nothing of a first page is in the memory of the api:
//
//   client -> the api -> engine; streams in turn with client -> engine, clients in turn with another checkout

export type ServingResults = {
  readonly repeated: RepeatedPages;
  readonly walking: readonly WalkingClients[];
  /** The commit of the other checkout. */
  readonly otherCommit: string | undefined;
  readonly streams: readonly StreamResult[];
};

type ServingOptions = {
  readonly rows: number;
  readonly data: string;
  /** The folder of another checkout whose api the walking clients are compared with. */
  readonly against: string | undefined;
};

export async function measureServing(
  archive: BenchArchive,
  api: Api,
  freshRange: FreshRange,
  { rows, data, against }: ServingOptions,
): Promise<ServingResults> {
  const { hourly, fifty } = archive.layout;
  const repeated = await measureRepeatedPages(api, hourly, freshRange);
  const other = against === undefined ? undefined : await openOtherCheckout(against, rows, data);
  const walking = await measureWalkingClients(
    api,
    other?.api,
    fifty.slice(0, WALKING_CLIENTS),
    freshRange,
  ).finally(() => other?.close());
  const streams = await measureStreams(archive, api);
  await runSlowReaders(api, hourly, freshRange);
  return { repeated, walking, otherCommit: other?.commit, streams };
}
