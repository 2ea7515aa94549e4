import type { ClickHouseClient } from '@clickhouse/client';
import { backfill, countDays, leftByAll, plans } from './backfill.ts';
import type { LoadCommand } from './command.ts';
import type { Config } from './config.ts';
import { counts, displaysOn } from './display.ts';
import { dryRunLines } from './dry-run.ts';
import { lineTo } from './fetch.ts';
import type { Site } from './load.ts';
import { Neighbours } from './neighbours.ts';
import { Progress, type Tally } from './progress.ts';
import type { Courtesy } from './sources/origin.ts';
import { ORIGINS, type OriginName } from './sources/table.ts';
import { Turns } from './turns.ts';
import { Minutes } from './type.ts';
import type { Voice } from './voice.ts';

/** The first asks to finish what is under way, the second to stop at once. */
export type Interruption = { readonly afterSlice: AbortSignal; readonly now: AbortSignal };

const AT_ONCE: Courtesy = { intervalSeconds: 0, parallel: 1 };

/**
 * Loads a range from several sources side by side, each at its own pace, and prints a summary.
 *
 * @returns whether nothing is left: every day that is old enough is done by one source or another, and no source was
 *   asked in vain
 */
export async function loadRange(
  client: ClickHouseClient,
  command: LoadCommand,
  { hosts, userAgent, logFormat }: Config,
  stop: Interruption,
  voice: Voice,
): Promise<boolean> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stop.now, failure.signal]);
  const turns = new Turns();
  const neighbours = new Neighbours(client);
  const siteOf = (source: OriginName, watch: Progress): Site => {
    const origin = ORIGINS[source](hosts[source]);
    const courtesy = origin.kind === 'remote' ? origin.courtesy : AT_ONCE;
    const intervalSeconds = command.intervalSeconds ?? courtesy.intervalSeconds;
    const line = lineTo({ ...courtesy, intervalSeconds }, { userAgent, signal, watch });
    return { client, origin, line, turns, neighbours, minutes: new Minutes(), listed: new Set() };
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
  console.log(`${who}${tally.slicesDone} of ${tally.slices} slices loaded: ${counts(tally)}`);
  if (tally.slicesEmpty > 0) console.log(`${who}${tally.slicesEmpty} of them hold no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped))
    console.log(`${who}${rows} rows skipped: ${reason}`);
}
