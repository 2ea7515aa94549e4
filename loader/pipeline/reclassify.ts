import type { Archive } from '../../clickhouse/archive.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import {
  type StationRange,
  type TimeWindow,
  toCalendarYears,
  toNominalHours,
  yearWindow,
} from '../../clickhouse/model/time-window.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import { findConflicts, readMinuteHistogram } from '../../clickhouse/observations/maintenance.ts';
import { readStoredReports, type StationWindow } from '../../clickhouse/observations/stored-reports.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { TYPED_SOURCES } from '../sources/registry.ts';
import { chooseAmong } from './reconcile.ts';
import { MinuteHistogram } from './report-type.ts';
import type { WriteContext } from './write.ts';

export type ReportContext = Pick<WriteContext, 'archive' | 'writer'>;

/**
 * Another loader may meanwhile have inserted the same report under another type, or another report of the same hour, without
 * either loader reading the row of the other. The loader that finishes last reads both rows, retracts one and chooses again. So no
 * reader gets a report twice, and only one report counts for an hour or minute.
 *
 * @param othersSeen by the writer before it read what is stored: if it has seen none since, there is nothing to look for
 */
export async function reclassifyConflicts(
  context: ReportContext,
  windows: readonly StationWindow[],
  othersSeen?: number,
): Promise<void> {
  if (windows.length === 0) return;
  await context.writer.complete(rangeOf(windows));
  if (context.writer.othersSeen === othersSeen) return;
  for (const window of windows)
    for (const station of await findConflicts(context.archive, window, context.writer.hidden))
      await reclassifyStation(context, { station, ...toCalendarYears(window) });
}

/** An empty range if there is no window. */
export function rangeOf(windows: readonly StationWindow[]): StationRange {
  const stations = new Set(windows.map(({ station }) => station));
  return {
    stations: stations.has(ALL_STATIONS) ? [] : [...stations],
    ...toNominalHours({
      from: Math.min(...windows.map(({ from }) => from)),
      to: Math.max(...windows.map(({ to }) => to)),
    }),
  };
}

/**
 * Makes final the types of a calendar year loaded by days of all stations: if the whole year's reports imply a type
 * other than the provisional one, the station's year is reclassified. So days of all stations and station-years, loaded
 * in any order, give the same archive. Writes nothing if all types are final.
 */
export async function reclassifyYear(context: ReportContext, year: number, signal: AbortSignal) {
  const window = yearWindow(year);
  await retryStorage(async () => {
    // One insert per station, so that a new type and the retraction of the old one are stored together or not at all.
    for (const station of await stationsToReclassify(context.archive, window))
      await reclassifyStation(context, { station, ...window });
  }, signal);
}

/** Adds the minutes of the reports that the archive holds of a calendar year, of every station. */
export async function addStoredMinutes(minutes: MinuteHistogram, archive: Archive, year: number) {
  const window = yearWindow(year);
  const counts = readMinuteHistogram(archive, { ...window, typedSources: TYPED_SOURCES });
  for await (const { station, minute, reports } of counts)
    minutes.add({ station, observedAt: window.from + minute * 60 }, reports);
}

/** How often a station is chosen again at most, so that loaders that insert constantly do not delay each other. */
const MOST_CHOICES = 3;

/** Makes final the types of a station's calendar years, and what counts there. */
export async function reclassifyStation(context: ReportContext, window: StationWindow): Promise<void> {
  await context.writer.write(rangeOf([window]), () => chooseAgain(context, window));
}

/**
 * Infers the types of a station's calendar years from all its stored reports, retracts a report under a second type, and chooses
 * again what counts. Repeats that if another loader has inserted reports meanwhile, which may have looked for conflicts earlier.
 */
export async function chooseAgain({ archive, writer }: ReportContext, window: StationWindow): Promise<void> {
  for (let left = MOST_CHOICES; left > 0; left -= 1) {
    await chooseOnce({ archive, writer }, window);
    await writer.complete(rangeOf([window]));
    if ((await findConflicts(archive, window, writer.hidden)).length === 0) return;
  }
}

export async function chooseOnce(
  { archive, writer }: ReportContext,
  window: StationWindow,
  hidden = writer.hidden,
): Promise<void> {
  const stored = await readStoredReports(archive, window);
  await insertRevisions(archive, chooseAmong(stored, window, hidden), writer.marks);
}

async function stationsToReclassify(archive: Archive, window: TimeWindow): Promise<ReadonlySet<string>> {
  const minutes = new MinuteHistogram();
  const inferred: { readonly station: string; readonly observedAt: number; readonly isMetar: boolean }[] = [];
  const counts = readMinuteHistogram(archive, { ...window, typedSources: TYPED_SOURCES });
  for await (const { station, minute, type, typeSent, reports } of counts) {
    const observedAt = window.from + minute * 60;
    minutes.add({ station, observedAt }, reports);
    if (!typeSent) inferred.push({ station, observedAt, isMetar: type === 'METAR' });
  }
  const isMetar = minutes.inference();
  return new Set(
    inferred
      .filter((count) => isMetar(count.station, count.observedAt) !== count.isMetar)
      .map(({ station }) => station),
  );
}
