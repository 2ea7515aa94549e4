import type { Archive } from '../../clickhouse/archive.ts';
import { readReportCounts } from '../../clickhouse/coverage/report-counts.ts';
import { readStationDays } from '../../clickhouse/coverage/station-days.ts';
import { countDays, unionOf } from '../../clickhouse/model/day.ts';
import { type Scope, windowOfDays } from '../../clickhouse/model/time-window.ts';
import { hasLoaders } from '../../clickhouse/observations/writers.ts';
import { readServerTime } from '../../clickhouse/server-time.ts';
import { icaoCodes, OPTIONS, scopeOf } from '../args/options.ts';
import type { ExitReason } from '../exit-codes.ts';
import { removeSource, removeStations } from '../pipeline/remove.ts';
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
