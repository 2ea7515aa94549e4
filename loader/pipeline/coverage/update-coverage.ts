import { recordNilStations, recordObservedHours } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { recordListings } from '../../../clickhouse/coverage/station-listings.ts';

import type { PendingWrite, WriteContext } from '../write/write.ts';

/** Records which stations the source carries, and the hours that have reports; the ledger row follows. */
export async function updateCoverage(
  context: WriteContext,
  { stations, nilReports, observedHours }: Pick<PendingWrite, 'stations' | 'nilReports' | 'observedHours'>,
): Promise<void> {
  await listByEvidence(context, stations);
  await recordNilStations(context.client, context.source, nilReports, context.signal);
  await recordObservedHours(context.client, context.source, observedHours, context.signal);
}

/** A report is evidence that the source carries its station, whether the source lists it or not. */
async function listByEvidence(
  { client, source, listedStations, signal }: WriteContext,
  stations: ReadonlySet<string>,
): Promise<void> {
  const unlisted = [...stations].filter((station) => !listedStations.has(station));
  if (unlisted.length === 0) return;
  await recordListings(
    client,
    unlisted.map((station) => ({ source, station })),
    signal,
  );
  for (const station of unlisted) listedStations.add(station);
}
