import type { ClickHouseClient } from '@clickhouse/client';
import type { Config } from '../config.ts';
import { createSourceClient } from '../http/fetch-with-retry.ts';
import { ExpectedVolume } from '../pipeline/expected-volume.ts';
import { KeyedMutex } from '../pipeline/keyed-mutex.ts';
import type { LoadContext } from '../pipeline/load-slice.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import { backfill, countDays, leftByAll, plans } from '../plan/backfill.ts';
import { displaysOn } from '../progress/bars.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { formatTally, Progress, type Tally } from '../progress/progress.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { RateLimit } from '../sources/source.ts';
import type { LoadCommand } from './args/command.ts';
import { dryRunLines } from './dry-run.ts';
import type { Interruption } from './interruption.ts';

const AT_ONCE: RateLimit = { intervalSeconds: 0, parallel: 1 };

/**
 * Loads a range from several sources side by side, each at its own pace, and prints a summary.
 *
 * @returns whether nothing is left: every day that is old enough is done by one source or another, and no source was
 *   asked in vain
 */
export async function loadCommand(
  client: ClickHouseClient,
  command: LoadCommand,
  { hosts, userAgent, logFormat }: Config,
  stop: Interruption,
  voice: ConsoleOutput,
): Promise<boolean> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stop.now, failure.signal]);
  const turns = new KeyedMutex();
  const neighbours = new ExpectedVolume(client);
  const siteOf = (source: SourceName, watch: Progress): LoadContext => {
    const origin = SOURCE_ADAPTERS[source](hosts[source]);
    const courtesy = origin.kind === 'remote' ? origin.rateLimit : AT_ONCE;
    const intervalSeconds = command.intervalSeconds ?? courtesy.intervalSeconds;
    const line = createSourceClient({ ...courtesy, intervalSeconds }, { userAgent, signal, watch });
    return { client, origin, line, turns, neighbours, minutes: new MinuteHistogram(), listed: new Set() };
  };
  const { displays, say } = displaysOn(process.stderr, logFormat, command.sources);
  const runs = displays.map(({ source, display }) => {
    const progress = new Progress(display);
    return { source, display, progress, site: siteOf(source, progress) };
  });
  if (command.dryRun) {
    for (const { site } of runs)
      for await (const line of dryRunLines(site, plans(site, command))) console.log(line);
    return true;
  }
  const work = Promise.all(
    runs.map(({ site, display, progress }) =>
      backfill(site, command, progress, stop.afterSlice)
        .catch((error: unknown) => {
          failure.abort();
          throw error;
        })
        .finally(display.end),
    ),
  );
  const outcomes = await voice.during(say, work);
  for (const { source, progress } of runs) summarize(runs.length > 1 ? `${source}: ` : '', progress.tally);
  if (stop.afterSlice.aborted) return false;

  const left = leftByAll(outcomes.map((outcome) => outcome.left));
  const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
  if (left.size > 0) {
    const stations = [...left.keys()].map((station) => (station === '*' ? 'all stations' : station));
    const some = stations.slice(0, 20).join(', ') + (stations.length > 20 ? ', ...' : '');
    console.log(`${countDays(left)} days are not done, of ${some}: the same command asks for them again.`);
  } else if (failed > 0)
    console.log(`${failed} slices were not to be had: the same command asks for them again.`);
  return left.size === 0 && failed === 0;
}

function summarize(who: string, tally: Tally): void {
  console.log(`${who}${tally.slicesDone} of ${tally.slices} slices loaded: ${formatTally(tally)}`);
  if (tally.slicesEmpty > 0) console.log(`${who}${tally.slicesEmpty} of them hold no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped))
    console.log(`${who}${rows} rows skipped: ${reason}`);
}
