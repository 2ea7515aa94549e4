import type { ClickHouseClient } from '@clickhouse/client';
import { type DoneSlice, sampleSlices } from '../../clickhouse/coverage/sample-slices.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { dayStart } from '../../clickhouse/model/day.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import type { VerifyCommand } from '../commands/args/command.ts';
import { groupBy } from '../group-by.ts';
import type { SourceClient } from '../http/fetch-with-retry.ts';
import { type Batch, batchesByHours, batchesByStation } from '../pipeline/batches.ts';
import { ExpectedVolume } from '../pipeline/expected-volume.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import { fetchReports } from '../pipeline/load-slice.ts';
import { MinuteHistogram, type TypeInference } from '../pipeline/report-type.ts';
import { fetchStationMetadata } from '../plan/station-metadata.ts';
import { isSourceName, type SourceName } from '../sources/registry.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { compare, type Difference } from './compare.ts';

export type Verified = {
  readonly slice: DoneSlice;
  /** Why the source could not be asked. */
  readonly failed?: string;
  readonly reports: number;
  readonly differences: readonly Difference[];
};

/** The way to each source. */
export type SourceContexts = (source: SourceName) => {
  readonly adapter: SourceAdapter;
  readonly sourceClient: SourceClient;
};

/**
 * Asks the sources again for a sample of the slices that are done, at their own pace and side by side, and compares
 * report for report. It only reads.
 */
export async function verify(
  client: ClickHouseClient,
  { sample, sources, scope }: VerifyCommand,
  roadTo: SourceContexts,
  tell: (verified: Verified) => void,
  stop: { readonly noMore: AbortSignal; readonly signal: AbortSignal },
): Promise<void> {
  const slices = await sampleSlices(client, { sample, sources, ...scope }, stop.signal);
  const expectedVolume = new ExpectedVolume(client);
  const bySource = groupBy(slices, ({ source }) => source);
  await Promise.all(
    [...bySource].map(async ([source, some]) => {
      if (!isSourceName(source)) return;
      const road = { client, expectedVolume, ...roadTo(source) };
      const trouble = await learnWay(road, some);
      for (const slice of some) {
        if (stop.noMore.aborted) return;
        tell(
          trouble === undefined
            ? await verifySlice(road, slice)
            : { slice, failed: trouble, reports: 0, differences: [] },
        );
      }
    }),
  );
}

type SourceContext = Pick<LoadContext, 'client' | 'expectedVolume' | 'adapter' | 'sourceClient'>;

/** Only a source with one list of its stations cannot be asked without it. */
async function learnWay(context: SourceContext, slices: readonly DoneSlice[]): Promise<string | undefined> {
  const { adapter } = context;
  if (adapter.kind !== 'remote' || adapter.stationDirectory.kind !== 'all stations') return undefined;
  return fetchStationMetadata(
    context,
    slices.map(({ station }) => station),
  );
}

async function verifySlice(road: SourceContext, slice: DoneSlice): Promise<Verified> {
  const { client, sourceClient } = road;
  const answer = await fetchReports(road, slice);
  if (answer.kind === 'failed') return { slice, failed: answer.reason, reports: 0, differences: [] };
  const { reports: fetched } = answer.value;
  const window = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const isWorld = slice.station === ALL_STATIONS;
  const nothing: Batch = { reports: [], window: { station: slice.station, ...window } };
  const pieces = isWorld ? batchesByHours(fetched) : batchesByStation(fetched);
  let reports = 0;
  const differences: Difference[] = [];
  for (const piece of pieces.length === 0 ? [nothing] : pieces) {
    const archived = await readStoredReports(client, piece.window, sourceClient.signal);
    const typing = isWorld ? ({ kind: 'provisional', isMetar: ANY } as const) : ({ kind: 'final' } as const);
    const compared = compare(slice.source, piece.reports, archived, typing, window);
    reports += compared.reports;
    differences.push(...compared.differences);
  }
  return { slice, reports, differences };
}

/** A day tells no types: what the archive has settled over the year stands. */
const ANY: TypeInference = new MinuteHistogram().inference();

/** Differences that are spelled out, of each slice. */
const SHOWN = 20;

/** One line a slice, and below it what differs. */
export function verifiedLines({ slice, failed, reports, differences }: Verified): readonly string[] {
  const { source, station, firstDay, endDay } = slice;
  const what = `${source} ${station === ALL_STATIONS ? 'all' : station} ${firstDay} to ${endDay}`;
  if (failed !== undefined) return [`${what}: could not be asked: ${failed}`];
  if (differences.length === 0) return [`${what}: ${reports} reports, all equal`];
  const kinds = [...groupBy(differences, ({ kind }) => kind)].map(([kind, some]) => `${some.length} ${kind}`);
  const more = differences.length - SHOWN;
  return [
    `${what}: ${reports} reports, ${kinds.join(', ')}`,
    ...differences
      .slice(0, SHOWN)
      .map(({ kind, observedAt, raw }) => `  ${kind}: ${new Date(observedAt * 1000).toISOString()} ${raw}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
