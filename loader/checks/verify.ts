import type { Archive } from '../../clickhouse/archive.ts';
import { type DoneSlice, sampleSlices } from '../../clickhouse/coverage/ledger/read-slices.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { dayStart } from '../../clickhouse/model/day.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import type { VerifyCommand } from '../args/command.ts';
import { groupBy } from '../group-by.ts';
import type { Interruption } from '../interruption.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import { fetchReports } from '../pipeline/load-slice.ts';
import type { TypePolicy } from '../pipeline/reports/reconcile.ts';
import { MinuteHistogram } from '../pipeline/reports/report-type.ts';
import { batchesByHours, batchesByStation, type ReportBatch } from '../pipeline/write/batches.ts';
import { fetchStationMetadata } from '../plan/station-metadata.ts';
import { isSourceName, type SourceName } from '../sources/registry.ts';
import { compare, type Difference } from './compare.ts';

export type VerifiedSlice = {
  readonly slice: DoneSlice;
  /** Why the source did not send the slice. */
  readonly failed?: string;
  readonly reports: number;
  readonly differences: readonly Difference[];
};

/**
 * Requests a sample of the done slices from their sources again, the sources at the same time, and compares every report
 * with the archive. It writes no report.
 *
 * @param stop no further slice is requested once `afterSlice` aborts
 */
export async function verify(
  client: Archive,
  { sample, sources, scope }: VerifyCommand,
  contextOf: (source: SourceName) => LoadContext,
  onVerified: (verified: VerifiedSlice) => void,
  stop: Interruption,
): Promise<void> {
  const slices = await sampleSlices(client, { sample, sources, ...scope }, stop.now);
  const verifySource = async (source: SourceName, slicesOfSource: readonly DoneSlice[]) => {
    const context = contextOf(source);
    const failed = await fetchDirectory(context, slicesOfSource);
    for (const slice of slicesOfSource) {
      if (stop.afterSlice.aborted) return;
      onVerified(
        failed === undefined
          ? await verifySlice(context, slice)
          : { slice, failed, reports: 0, differences: [] },
      );
    }
  };
  const bySource = [...groupBy(slices, ({ source }) => source)];
  await Promise.all(
    bySource.map(([source, some]) => (isSourceName(source) ? verifySource(source, some) : [])),
  );
}

/** Some sources need their list of stations before any other request. Returns why it was not received. */
async function fetchDirectory(
  context: LoadContext,
  slices: readonly DoneSlice[],
): Promise<string | undefined> {
  const { adapter } = context;
  if (adapter.kind !== 'remote' || adapter.stationDirectory.kind !== 'all stations') return undefined;
  const stations = slices.map(({ station }) => station);
  return fetchStationMetadata(context, stations);
}

/** Types of a day of all stations are final only after the year is reclassified, so any type counts as right here. */
const ANY_TYPE: TypePolicy = { kind: 'provisional', isMetar: new MinuteHistogram().inference() };

async function verifySlice(context: LoadContext, slice: DoneSlice): Promise<VerifiedSlice> {
  const fetched = await fetchReports(context, slice);
  if (fetched.kind === 'failed') return { slice, failed: fetched.reason, reports: 0, differences: [] };
  const window = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const isAllStations = slice.station === ALL_STATIONS;
  const batches = (isAllStations ? batchesByHours : batchesByStation)(fetched.value.reports);
  const empty: ReportBatch = { reports: [], window: { station: slice.station, ...window } };
  const typePolicy: TypePolicy = isAllStations ? ANY_TYPE : { kind: 'final' };
  let reports = 0;
  const differences: Difference[] = [];
  for (const batch of batches.length === 0 ? [empty] : batches) {
    const stored = await readStoredReports(context.client, batch.window, context.signal);
    const compared = compare(slice.source, batch.reports, stored, typePolicy, window);
    reports += compared.reports;
    differences.push(...compared.differences);
  }
  return { slice, reports, differences };
}
