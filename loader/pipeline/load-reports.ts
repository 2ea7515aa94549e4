import { recordNilStations, recordObservedHours } from '../../clickhouse/coverage/ledger/ledger.ts';
import { recordListings } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, type DayRange, dayOf } from '../../clickhouse/model/day.ts';
import type { ParsedBody } from '../sources/source.ts';
import { type NormalizedReports, normalize } from './normalize.ts';
import { skipOtherStations } from './other-stations.ts';
import { reclassifyConflicts } from './reclassify.ts';
import {
  type PendingWrite,
  reconcileAndWrite,
  type WriteContext,
  type WriteResult,
  type WriteScope,
  writtenWindow,
} from './write.ts';

/** What the rows are of. */
export type RowsOf = {
  readonly scope: WriteScope;
  /** The days that a source was asked for; absent for rows of files. */
  readonly days?: DayRange;
};

/** A part of a slice: one incomplete day, or the days between incomplete days. */
export type SlicePart = DayRange & { readonly isComplete: boolean; readonly reports: number };

export type LoadedReports = WriteResult & {
  /** Absent if every day is complete. */
  readonly parts?: readonly SlicePart[] | undefined;
  /** Which rows cannot be read, for the user (D68). */
  readonly unreadable?: string | undefined;
};

type SentReports = { readonly write: PendingWrite } & Pick<LoadedReports, 'parts' | 'unreadable'>;

/**
 * The one way into the archive, for rows of a response, a file or a snapshot, after `reportsOf`:
 *
 *     normalize -> skip other stations -> reconcile -> decode -> write -> reclassify conflicts -> listings and hours
 *
 * Every stage can be repeated. The ledger is the caller's: its row comes after this. The rows are not in memory any more
 * while their reports are written.
 */
export async function loadReports(
  context: WriteContext,
  reports: NormalizedReports,
  of: RowsOf,
): Promise<LoadedReports> {
  return finishReports(context, await sendReports(context, reports, of));
}

/** Resolves when the last row is sent: ClickHouse may not have stored it yet, and none is in memory. */
export async function sendReports(
  context: WriteContext,
  reports: NormalizedReports,
  { scope, days }: RowsOf,
): Promise<SentReports> {
  const window = writtenWindow(reports, scope);
  const write = await context.writer.write(window, () => reconcileAndWrite(context, reports, scope));
  const parts = days && splitAtIncompleteDays(days, reports);
  return { write, parts, unreadable: reports.unreadable };
}

/** The reports that rows hold, of their own stations. */
export async function reportsOf(
  { archive, knownStations }: Pick<WriteContext, 'archive' | 'knownStations'>,
  body: ParsedBody,
): Promise<NormalizedReports> {
  return skipOtherStations(archive, normalize(body), knownStations);
}

/** Corrects the types, then records which stations the source carries, and the hours that have reports. */
export async function finishReports(context: WriteContext, sent: SentReports): Promise<LoadedReports> {
  const { archive, source, listedStations, writer } = context;
  const { write, parts, unreadable } = sent;
  await writer.settle(write.window, async () => {
    await write.stored;
    await reclassifyConflicts(archive, write.windows);
  });
  // A report is evidence that the source carries its station, whether the source lists it or not.
  const unlisted = [...write.stations].filter((station) => !listedStations.has(station));
  await recordListings(
    archive,
    unlisted.map((station) => ({ source, station })),
  );
  for (const station of unlisted) listedStations.add(station);
  await recordNilStations(archive, source, write.nilReports);
  await recordObservedHours(archive, source, write.observedHours);
  return { ...write.result, parts, unreadable };
}

/**
 * Splits a slice around days with an unreadable report at the source: the ledger must not make them done (D13), and the
 * days around them must not wait for them.
 *
 * @returns `undefined` if every day is complete
 */
export function splitAtIncompleteDays(
  slice: DayRange,
  { reports, incompleteDays = [] }: NormalizedReports,
): readonly SlicePart[] | undefined {
  if (incompleteDays.length === 0) return undefined;
  const parts = rangesAround(slice, incompleteDays);
  // Distinct reports. One observed outside the slice counts in the nearest part.
  const distinct = parts.map(() => new Set<string>());
  for (const { observedAt, fingerprint } of reports) {
    const day = dayOf(observedAt);
    const at = parts.findIndex(({ endDay }) => day < endDay);
    distinct.at(at)?.add(`${observedAt} ${fingerprint}`);
  }
  return parts.map((part, at) => ({
    ...part,
    isComplete: !incompleteDays.includes(part.firstDay),
    reports: distinct[at]?.size ?? 0,
  }));
}

function rangesAround(slice: DayRange, incompleteDays: readonly Day[]): readonly DayRange[] {
  const parts: DayRange[] = [];
  let firstDay = slice.firstDay;
  for (const day of [...new Set(incompleteDays)].sort()) {
    if (firstDay < day) parts.push({ firstDay, endDay: day });
    firstDay = addDays(day, 1);
    parts.push({ firstDay: day, endDay: firstDay });
  }
  if (firstDay < slice.endDay) parts.push({ firstDay, endDay: slice.endDay });
  return parts;
}
