import { readMissingDays } from '../../clickhouse/coverage/missing-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, dayOf, daysBetween, firstProvisionalDay } from '../../clickhouse/model/day.ts';
import type { LoadCommand } from '../commands/args/command.ts';
import { type LoadContext, loadSlice } from '../pipeline/load-slice.ts';
import { reclassifyYear } from '../pipeline/reclassify.ts';
import { retryStorage, runPool, type Work } from '../pipeline/worker-pool.ts';
import type { Progress } from '../progress/progress.ts';
import type { Slice } from '../sources/source.ts';
import { type PlanChunk, planChunks } from './schedule.ts';
import { cutAt, inBoth, planSlices, type Range } from './slices.ts';
import { fetchStationMetadata } from './station-metadata.ts';

/** How often the slices that failed are tried again when all others have been. */
const ROUNDS = 2;

/** Days that are old enough (D13) and yet not done, by station. */
export type Left = ReadonlyMap<string, readonly Range[]>;

export type Outcome = {
  readonly left: Left;
  /** Slices that were asked for in vain, or never because the source was in trouble. */
  readonly failed: number;
};

/** Loads what the archive lacks of a range. What is done is not asked for, so stop and start make no difference. */
export async function backfill(
  site: LoadContext,
  command: LoadCommand,
  progress: Progress,
  noMore: AbortSignal,
): Promise<Outcome> {
  const { origin, line } = site;
  let slices = 0;
  for await (const plan of plans(site, command)) slices += plan.length;
  progress.begin(slices);
  const trouble = new AbortController();
  const stop = AbortSignal.any([noMore, trouble.signal]);
  let failed: Slice[] = [];
  const work = {
    load: (slice: Slice) => loadSlice(site, slice),
    atOnce: origin.kind === 'remote' ? Math.max(2, origin.courtesy.parallel) : 2,
    done: (slice: Slice, loaded: Awaited<ReturnType<typeof loadSlice>>) => {
      progress.done(slice, loaded);
      if (loaded.kind === 'failed' && loaded.refused === undefined) failed.push(slice);
      if (line.breaker.gaveUp) trouble.abort();
    },
    noMore: stop,
    signal: line.signal,
  };
  const giveUp = (reason: string) => {
    progress.say(`${origin.source} cannot be asked: ${reason}`);
    trouble.abort();
  };
  await runTurns(site, learnedPlans(site, command, progress, giveUp), work);
  for (let round = 1; round <= ROUNDS && failed.length > 0 && !stop.aborted; round += 1) {
    const again = failed;
    failed = [];
    progress.again(again.length);
    await runTurns(site, plansAgain(again), work);
  }
  const { tally } = progress;
  const untried = noMore.aborted ? 0 : tally.slices - tally.slicesDone - tally.slicesFailed;
  return { left: await daysLeft(site, command), failed: tally.slicesFailed + untried };
}

/** What is still to be asked for, turn by turn. */
export async function* plans(site: LoadContext, command: LoadCommand): AsyncGenerator<readonly Slice[]> {
  for (const turn of turnsFor(site, command)) yield await plan(site, turn, command);
}

type Planned = { readonly turn?: PlanChunk; readonly slices: readonly Slice[] };

/** Days of the world go turn by turn, each a year whose types are settled; also what an earlier run left of them. */
async function runTurns(
  { client, line }: LoadContext,
  planned: AsyncIterable<Planned>,
  work: Omit<Work, 'plans'>,
): Promise<void> {
  const ofStations = async function* (): AsyncGenerator<readonly Slice[]> {
    for await (const { turn, slices } of planned) {
      if (work.noMore.aborted) return;
      const years = yearsOfTheWorld(turn, slices);
      if (years.length === 0) yield slices;
      else {
        await runPool({ ...work, plans: only(slices) });
        if (work.noMore.aborted) return;
        for (const year of years) await reclassifyYear(client, year, line.signal);
      }
    }
  };
  await runPool({ ...work, plans: ofStations() });
}

async function* only(slices: readonly Slice[]): AsyncGenerator<readonly Slice[]> {
  yield slices;
}

async function* plansAgain(slices: readonly Slice[]): AsyncGenerator<Planned> {
  yield { slices };
}

function yearsOfTheWorld(turn: PlanChunk | undefined, slices: readonly Slice[]): readonly number[] {
  const days = slices.filter(({ station }) => station === ALL_STATIONS).map(({ firstDay }) => firstDay);
  if (turn?.stations.includes(ALL_STATIONS)) days.push(turn.range.firstDay);
  return [...new Set(days.map((day) => Number(day.slice(0, 4))))];
}

/** Plans anew what is missing, once the source has told which stations it carries and since when. */
async function* learnedPlans(
  site: LoadContext,
  command: LoadCommand,
  progress: Progress,
  giveUp: (reason: string) => void,
): AsyncGenerator<Planned> {
  const { client, origin, line } = site;
  const learned = new Set<string>();
  for (const turn of turnsFor(site, command)) {
    const missing = await plan(site, turn, command);
    const unknown = new Set(missing.map(({ station }) => station).filter((station) => !learned.has(station)));
    if (unknown.size === 0) {
      yield { turn, slices: missing };
      continue;
    }
    // A source that has one list for all tells of all at once.
    const whole = origin.kind === 'remote' && origin.directory.kind === 'whole';
    const stations = whole ? command.stations : [...unknown];
    const trouble = await retryStorage(
      () => fetchStationMetadata(client, origin, stations, line),
      line.signal,
    );
    if (trouble !== undefined) return giveUp(trouble);
    for (const station of stations) learned.add(station);
    const slices = await plan(site, turn, command);
    progress.expect(slices.length - missing.length);
    yield { turn, slices };
  }
}

function turnsFor({ origin }: LoadContext, command: LoadCommand): Iterable<PlanChunk> {
  const range = begun(command);
  const loadable = origin.kind === 'remote' && origin.endDay ? cutAt(origin.endDay, range) : range;
  return planChunks(command.stations, loadable, command.preference);
}

async function daysLeft(site: LoadContext, command: LoadCommand): Promise<Left> {
  const left = new Map<string, readonly Range[]>();
  const range = cutAt(firstProvisionalDay(new Date()), begun(command));
  for (const { stations } of planChunks(command.stations, range, { order: undefined, priority: [] }))
    for (const [station, days] of await missingDays(site, { stations, range })) left.set(station, days);
  return left;
}

/** The days that no source has done: coverage is the OR over sources (D13). */
export function leftByAll(lefts: readonly Left[]): Left {
  const [first = new Map<string, readonly Range[]>(), ...others] = lefts;
  const left = new Map<string, readonly Range[]>();
  for (const [station, ranges] of first) {
    const common = others.reduce<readonly Range[]>(
      (days, other) => inBoth(days, other.get(station) ?? []),
      ranges,
    );
    if (common.length > 0) left.set(station, common);
  }
  return left;
}

export function countDays(left: Left): number {
  const days = [...left.values()].flat();
  return days.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0);
}

async function plan(site: LoadContext, turn: PlanChunk, { again }: LoadCommand): Promise<readonly Slice[]> {
  const { stations, range } = turn;
  if (range.firstDay >= range.endDay) return [];
  const missing = again
    ? new Map(stations.map((station) => [station, [range]]))
    : await missingDays(site, turn);
  return planSlices(site.origin.source, missing);
}

function missingDays({ client, origin, line }: LoadContext, { stations, range }: PlanChunk) {
  const asked = { source: origin.source, stations, ...range };
  return retryStorage(() => readMissingDays(client, asked, line.signal), line.signal);
}

/** Nothing can be asked of a day to come. */
function begun(range: Range): Range {
  const tomorrow: Day = addDays(dayOf(Date.now() / 1000), 1);
  return cutAt(tomorrow, range);
}
