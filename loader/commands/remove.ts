import type { Archive } from '../../clickhouse/archive.ts';
import { removeClaims, removeReportHours } from '../../clickhouse/coverage/ledger/claims.ts';
import { readReportCounts } from '../../clickhouse/coverage/report-counts.ts';
import { readStationDays } from '../../clickhouse/coverage/station-days.ts';
import { countDays, unionOf } from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import {
  ARCHIVE_TIMES,
  type Scope,
  toCalendarYears,
  windowOfDays,
} from '../../clickhouse/model/time-window.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import {
  deleteReports,
  deleteSource,
  deleteStations,
  holdsRows,
  readMonthsWithReports,
  readSharedStations,
} from '../../clickhouse/observations/maintenance.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import { hasLoaders, removalRun } from '../../clickhouse/observations/writers.ts';
import { readServerTime } from '../../clickhouse/server-time.ts';
import { icaoCodes, OPTIONS, scopeOf } from '../args/options.ts';
import type { ExitReason } from '../exit-codes.ts';
import { reclassifyStation } from '../pipeline/reclassify.ts';
import { chooseAmong } from '../pipeline/reconcile.ts';
import { spanOf } from '../pipeline/write.ts';
import { Writer } from '../pipeline/writer.ts';
import { plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export function declareRemove({ add, accept }: LoaderProgram): void {
  add('remove STATION...', 'removes stations, or some of their days, from the archive')
    .argument('<station...>', 'ICAO codes')
    .addOption(OPTIONS.from)
    .addOption(OPTIONS.to)
    .option('--yes', 'remove; without it, only print what would be removed')
    .action((words, { yes: isConfirmed = false, ...days }) => {
      const stations = icaoCodes(words.join(',').split(','));
      // Everything of the stations, not only some days.
      const isWhole = days.from === undefined && days.to === undefined;
      accept({ kind: 'remove', scope: scopeOf(stations, days), isWhole, isConfirmed }, removeCommand);
    });
}

export function declareRemoveDemo({ add, accept }: LoaderProgram): void {
  add('remove-demo', 'removes the synthetic demo reports').action(() =>
    accept({ kind: 'remove-demo' }, async ({ archive, output }) => {
      await removeSource(archive, 'demo');
      output.print('The synthetic demo reports are removed.');
      return true;
    }),
  );
}

/** @returns `invalidArguments` if the user has not confirmed it; `daysLeft` if a loader writes at the same time */
async function removeCommand(
  { archive, output }: CommandContext,
  { scope, isWhole, isConfirmed }: { scope: Scope; isWhole: boolean; isConfirmed: boolean },
): Promise<ExitReason> {
  const { firstDay, endDay } = scope;
  const days = isWhole ? '' : ` from ${firstDay} to ${endDay}`;
  for (const line of await contentLines(archive, scope, isWhole)) output.print(line);
  if (!isConfirmed) {
    output.print(`Nothing is removed yet. To remove this${days}, add --yes.`);
    return 'invalidArguments';
  }
  const window = windowOfDays(scope);
  const begunAt = await readServerTime(archive);
  if (await hasLoaders(archive, window, begunAt)) {
    output.print(`Nothing is removed, because a loader is writing reports of these days. ${AGAIN}`);
    return 'daysLeft';
  }
  await removeStations(archive, scope, isWhole);
  output.print(`Removed${days}: ${scope.stations.join(', ')}.`);
  if (!(await hasLoaders(archive, window, begunAt))) return 'done';
  output.print(`A loader has written reports of these days meanwhile, and may count some as done. ${AGAIN}`);
  return 'daysLeft';
}

const AGAIN =
  'Run the same command again once it has ended; a loader that was killed counts as ended after an hour.';

async function contentLines(archive: Archive, scope: Scope, isWhole: boolean): Promise<readonly string[]> {
  const counts = await readReportCounts(archive, { stations: scope.stations, ...windowOfDays(scope) });
  const lines: string[] = [];
  const found = readStationDays(archive, scope.stations, scope, new Date());
  for await (const { station, done, listings } of found) {
    const bySource = counts.filter((count) => count.station === station);
    const reports = bySource.reduce((sum, count) => sum + count.reports, 0);
    const sources = bySource.map(({ source, reports: ofSource }) => `${source} ${ofSource}`).join(', ');
    const doneDays = countDays(unionOf(done.flatMap((each) => each.days)));
    const listedBy = listings.map(({ source }) => source).join(', ');
    const listed = listings.length === 0 ? '; not listed' : `; listed by ${listedBy}`;
    const held = `${plural(reports, 'report')}${reports === 0 ? '' : ` (${sources})`}`;
    lines.push(`${station}: ${held}; ${plural(doneDays, 'complete day')}${isWhole ? listed : ''}`);
  }
  return lines;
}

/** How often reports are deleted, because a loader that has started meanwhile can copy rows from one table to the other. */
const DELETIONS = 3;

/**
 * Removes the reports of stations on some days, and the coverage of these days, which are then not done.
 *
 * First the days stop being done, then the reports are deleted, then their hours in coverage, so coverage is never `none` while
 * a page still has reports. After an interruption, no day is done without its reports: repeat it.
 *
 * @param isWhole whether to remove also what sources state about the stations, and every other record of them
 */
export async function removeStations(archive: Archive, scope: Scope, isWhole: boolean): Promise<void> {
  const { stations } = scope;
  const range = { stations, ...windowOfDays(scope) };
  await removeClaims(archive, scope);
  if (isWhole) await deleteStations(archive, ['stations', 'station_descriptions'], stations);
  const writer = new Writer(archive, removalRun());
  await writer.write(range, async () => {
    const marked = writer.marks.begin();
    await marked.open(await readMonthsWithReports(archive, range));
    for (let deletions = 0; deletions < DELETIONS; deletions += 1) {
      await deleteReports(archive, range);
      if (!(await holdsRows(archive, range))) break;
    }
    marked.end();
  });
  if (isWhole) await deleteStations(archive, ['slices', 'coverage'], stations);
  else {
    // A loader that had read the reports before may have recorded their days meanwhile.
    await removeClaims(archive, scope);
    await removeReportHours(archive, scope);
    // Types and what counts are chosen again from the remaining reports of the years.
    const years = toCalendarYears(range);
    for (const station of stations) await reclassifyStation({ archive, writer }, { station, ...years });
  }
  await writer.close();
}

/**
 * Deletes everything of a source from the archive. At stations that also have reports of other sources, it first chooses
 * what counts without those of this source; so it can be repeated after an interruption.
 */
export async function removeSource(archive: Archive, source: Source): Promise<void> {
  const writer = new Writer(archive, removalRun());
  const months = await readMonthsWithReports(archive, { stations: [], ...ARCHIVE_TIMES }, source);
  const window = spanOf(months);
  await writer.write({ stations: [], ...window }, async () => {
    const marked = writer.marks.begin();
    await marked.open(months);
    for (const station of await readSharedStations(archive, source)) {
      const stored = await readStoredReports(archive, { station, ...ARCHIVE_TIMES });
      const others = stored.filter((report) => report.source !== source);
      const revisions = chooseAmong(others, ARCHIVE_TIMES, writer.hidden);
      await insertRevisions(archive, revisions, writer.marks);
    }
    await deleteSource(archive, source);
    marked.end();
  });
  await writer.close();
}
