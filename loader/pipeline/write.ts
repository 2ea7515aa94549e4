import type { Archive } from '../../clickhouse/archive.ts';
import { type ObservedHour, recordObservedHours } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS, recordListings } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import { type DayRange, dayNumber } from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import {
  EARLY_SECONDS,
  NO_TIME,
  type StationRange,
  type TimeWindow,
  toCalendarYears,
} from '../../clickhouse/model/time-window.ts';
import { sendRevisions } from '../../clickhouse/observations/insert.ts';
import { readStoredReports, type StationWindow } from '../../clickhouse/observations/stored-reports.ts';
import type { ParsedBody, SkipCounts } from '../sources/source.ts';
import { type SlicePart, splitAtIncompleteDays } from './ledger-rows.ts';
import type { NormalizedReport, NormalizedReports } from './normalize.ts';
import { rangeOf, reclassifyConflicts } from './reclassify.ts';
import { reconcile } from './reconcile.ts';
import type { MinuteHistogram } from './report-type.ts';
import type { Writer } from './writer.ts';

/** The parts of a run that writing needs, for reports of one source or file. */
export type WriteContext = {
  readonly archive: Archive;
  readonly source: Source;
  /** The minutes of the hour at which stations report, as far as this run has seen their reports. */
  readonly minutes: MinuteHistogram;
  /** Stations that exist although the archive may not know them: those of a list next to files. */
  readonly knownStations?: ReadonlySet<string>;
  /** Stations that this run has listed for the source; absent for files, which say nothing of what a source carries. */
  readonly listedStations?: Set<string>;
  readonly writer: Writer;
};

/**
 * `few stations`: reconciled against the calendar years of each station, so types are final.
 * `all stations`: reconciled against a few hours of all stations; types are provisional until `reclassifyYear`.
 */
export type WriteScope = 'few stations' | 'all stations';

export type LoadedReports = Pick<ParsedBody, 'unreadable'> & {
  readonly kind: 'loaded';
  /** Distinct reports of the source. */
  readonly reports: number;
  /** How many of them the archive lacked, or had with a less faithful text. */
  readonly inserted: number;
  readonly skipped: SkipCounts;
  /** Distinct reports that the archive holds afterward, from any source, by day number. */
  readonly dailyCounts: ReadonlyMap<number, number>;
  /** The stations of the reports, and from the first report to the last; an empty window without reports. */
  readonly observed: TimeWindow & { readonly stations: ReadonlySet<string> };
  /** Absent if every day is complete. */
  readonly parts?: readonly SlicePart[] | undefined;
};

type RowsOf = {
  readonly scope: WriteScope;
  /** The days that a source was asked for; absent for rows of files. */
  readonly days?: DayRange;
};

/**
 * The one way into the archive, for rows of a response, a file or a snapshot:
 *
 *     `readReports`: normalize, skip other stations -> reconcile -> decode -> write -> reclassify conflicts -> listings and hours
 *
 * The caller writes the row of the ledger after this. The rows are not in memory any more while their reports are written.
 */
export async function loadReports(context: WriteContext, reports: NormalizedReports, of: RowsOf) {
  return finishReports(context, await sendReports(context, reports, of));
}

/** Sends what the archive lacks; resolves when the last row is sent, with no report in memory, and not yet stored. */
export async function sendReports(context: WriteContext, reports: NormalizedReports, of: RowsOf) {
  const range = writtenRange(reports, of.scope);
  return context.writer.write(range, () => reconcileAndWrite(context, reports, of));
}

/** As `sendReports`, within a write of their range. */
export async function reconcileAndWrite(context: WriteContext, normalized: NormalizedReports, of: RowsOf) {
  const { scope, days } = of;
  const { reports, skipped, unreadable } = normalized;
  const { archive, source, minutes, writer } = context;
  const { othersSeen } = writer;
  const isAll = scope === 'all stations';
  if (isAll) for (const report of reports) minutes.add(report);
  const provisional = isAll ? minutes.inference() : undefined;
  const batches = batchesOf(reports, scope);
  const windows = batches.map(({ window }) => window);
  const counts = { reports: 0, inserted: 0, dailyCounts: new Map<number, number>() };
  const observedHours: ObservedHour[] = [];

  /** A batch is reconciled once the previous one's rows are sent; only what the archive lacks is decoded. */
  async function* revisionsOf(some: typeof batches) {
    for (const { reports: ofBatch, window } of some) {
      const stored = await readStoredReports(archive, window);
      const reconciled = reconcile(source, ofBatch, stored, provisional ?? window, writer.hidden);
      counts.reports += reconciled.reports;
      counts.inserted += reconciled.inserted;
      for (const { station, observedAt } of reconciled.known) observedHours.push({ station, observedAt });
      for (const { observedAt } of reconciled.stored) {
        const day = dayNumber(observedAt);
        counts.dailyCounts.set(day, (counts.dailyCounts.get(day) ?? 0) + 1);
      }
      await writer.marks.openAll(reconciled.lacking);
      yield reconciled.revisions;
    }
  }

  // A day of all stations makes two concurrent inserts: with one the loader waits for ClickHouse, and more leave more
  // parts to merge.
  const half = Math.ceil(batches.length / 2);
  const shares = isAll ? [batches.slice(0, half), batches.slice(half)] : [batches];
  const inserts = await Promise.all(
    shares.map((some) => sendRevisions(archive, revisionsOf(some), writer.marks)),
  );
  const duplicates = reports.length - counts.reports;
  const stations = new Set(reports.filter(({ nil }) => !nil).map(({ station }) => station));
  const observed = { ...spanOf(reports), stations: new Set(reports.map(({ station }) => station)) };
  const allSkipped = duplicates > 0 ? { ...skipped, 'duplicate report': duplicates } : skipped;
  const parts = days && splitAtIncompleteDays(days, normalized);
  const about = { skipped: allSkipped, observed, unreadable, parts };
  const result: LoadedReports = { kind: 'loaded', ...counts, ...about };
  return {
    stored: Promise.all(inserts.map(({ stored }) => stored)),
    result,
    range: rangeOf(windows),
    /** The parts of the archive that the reports were reconciled with. */
    windows,
    /** `othersSeen` of the writer before these parts were read. */
    othersSeen,
    /** The stations of reports that are not NIL. */
    stations,
    /** The NIL reports of the other stations. */
    nilReports: reports.filter(({ nil, station }) => nil && !stations.has(station)),
    /** Hours of reports that were in the archive before; for inserted reports the coverage view counts itself. */
    observedHours,
  };
}

type PendingWrite = Awaited<ReturnType<typeof reconcileAndWrite>>;

/** Corrects the types, then records which stations the source carries, and the hours that have reports. */
export async function finishReports(context: WriteContext, write: PendingWrite): Promise<LoadedReports> {
  const { archive, source, listedStations, writer } = context;
  await writer.settle(write.range, async () => {
    await write.stored;
    await reclassifyConflicts(context, write.windows, write.othersSeen);
  });
  if (listedStations !== undefined) {
    // A report is evidence that the source carries its station, whether the source lists it or not.
    const unlisted = [...write.stations].filter((station) => !listedStations.has(station));
    await recordListings(
      archive,
      unlisted.map((station) => ({ source, station })),
    );
    for (const station of unlisted) listedStations.add(station);
  }
  await recordObservedHours(archive, source, [...write.observedHours, ...write.nilReports]);
  return write.result;
}

/** Reports, and the part of the archive that they are reconciled with. */
export type ReportBatch = { readonly reports: readonly NormalizedReport[]; readonly window: StationWindow };

/** Some 30,000 reports of all stations: the stored reports of the window fit into memory next to them. */
const BATCH_SECONDS = 3 * 3600;

/**
 * `few stations`: one batch per station, with the calendar years that its reports touch, because types are inferred by
 * calendar year. `all stations`: one every three nominal hours, with all stations: no batch cuts an hour.
 */
export function batchesOf(reports: readonly NormalizedReport[], scope: WriteScope): readonly ReportBatch[] {
  if (scope === 'few stations')
    return [...groupBy(reports, ({ station }) => station)].map(([station, some]) => ({
      reports: some,
      window: { station, ...toCalendarYears(spanOf(some)) },
    }));
  const batchNumber = (time: number) => Math.floor((time + EARLY_SECONDS) / BATCH_SECONDS);
  return [...groupBy(reports, ({ observedAt }) => batchNumber(observedAt))].map(([at, some]) => {
    const from = at * BATCH_SECONDS - EARLY_SECONDS;
    return { reports: some, window: { station: ALL_STATIONS, from, to: from + BATCH_SECONDS } };
  });
}

/** The part of the archive that writing these reports can change. */
export function writtenRange({ reports }: NormalizedReports, scope: WriteScope): StationRange {
  return rangeOf(batchesOf(reports, scope).map(({ window }) => window));
}

/** A report filed at midnight on 1 January may have been observed in the old year. */
export function spanOf(reports: readonly Pick<NormalizedReport, 'observedAt'>[]): TimeWindow {
  if (reports.length === 0) return NO_TIME;
  const first = reports.reduce(
    (least, { observedAt }) => Math.min(least, observedAt),
    Number.POSITIVE_INFINITY,
  );
  const last = reports.reduce((most, { observedAt }) => Math.max(most, observedAt), 0);
  return { from: first, to: last + 1 };
}
