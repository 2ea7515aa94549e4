import { addDays, type Day, dayOf, daysBetween, firstYoungDay } from '../clickhouse/day.ts';
import { readDoneDays } from '../clickhouse/ledger.ts';
import type { LoadCommand } from './command.ts';
import { groupBy } from './group.ts';
import { load, type Site } from './load.ts';
import { inOrder } from './order.ts';
import { learnPeriods } from './periods.ts';
import { cutAt, planSlices, type Range } from './plan.ts';
import type { Progress } from './progress.ts';
import { run, type Work } from './run.ts';
import { settleYear } from './settle.ts';
import { EVERY_STATION, type Slice } from './sources/origin.ts';

export type Outcome = {
  /** Days of the range that are old enough (D13) and yet not done, over all stations. */
  readonly daysLeft: number;
  readonly stationsLeft: readonly string[];
};

/** Loads what the archive lacks of a range. What is done is not asked for, so stop and start make no difference. */
export async function backfill(
  site: Site,
  command: LoadCommand,
  progress: Progress,
  noMore: AbortSignal,
): Promise<Outcome> {
  const { client, origin, line } = site;
  const missing = await missingSlices(site, command);
  const stations = [...new Set(missing.map(({ station }) => station))];
  const trouble = await learnPeriods(client, origin, stations, line);
  if (trouble !== undefined) progress.say(`${origin.source} cannot be asked: ${trouble}`);
  const slices = missing.length === 0 || trouble !== undefined ? [] : await missingSlices(site, command);
  progress.begin(slices.length);
  const work = {
    load: (slice: Slice) => load(site, slice),
    atOnce: origin.kind === 'remote' ? Math.max(2, origin.courtesy.parallel) : 2,
    done: progress.done,
    noMore,
    signal: line.signal,
  };
  if (command.stations.includes(EVERY_STATION)) await runByYear(site, command, { ...work, slices });
  else await run({ ...work, slices });
  return daysLeft(site, command);
}

/** What is still to be asked for, in the order in which it is wanted. */
export async function missingSlices(site: Site, command: LoadCommand): Promise<readonly Slice[]> {
  const { origin } = site;
  const range = begun(command);
  const loadable =
    origin.kind === 'remote' && origin.endDay !== undefined ? cutAt(origin.endDay, range) : range;
  return inOrder(await plan(site, command, loadable), command.preference);
}

/** Types of days of the world are settled when their year has been loaded; also those that an earlier run left. */
async function runByYear({ client, line }: Site, command: LoadCommand, work: Work): Promise<void> {
  const range = begun(command);
  const byYear = groupBy(work.slices, ({ firstDay }) => yearOf(firstDay));
  const years: number[] = [];
  for (let year = yearOf(range.firstDay); year <= yearOf(addDays(range.endDay, -1)); year += 1)
    years.push(year);
  for (const year of command.preference.order === 'newest' ? years.reverse() : years) {
    await run({ ...work, slices: byYear.get(year) ?? [] });
    if (work.noMore.aborted) return;
    await settleYear(client, year, line.signal);
  }
}

async function daysLeft(site: Site, command: LoadCommand): Promise<Outcome> {
  const left = await plan(site, command, cutAt(firstYoungDay(new Date()), begun(command)));
  return {
    daysLeft: left.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0),
    stationsLeft: [
      ...new Set(left.map(({ station }) => (station === EVERY_STATION ? 'all stations' : station))),
    ],
  };
}

async function plan(
  { client, origin, line }: Site,
  { stations }: LoadCommand,
  range: Range,
): Promise<Slice[]> {
  if (range.firstDay >= range.endDay) return [];
  const { source } = origin;
  const done = await readDoneDays(client, { source, stations, ...range }, line.signal);
  return planSlices(source, stations, range, done);
}

/** Nothing can be asked of a day to come. */
function begun(range: Range): Range {
  return cutAt(addDays(dayOf(Date.now() / 1000), 1), range);
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}
