import { addDays, type Day, dayOf, daysBetween, firstYoungDay } from '../clickhouse/day.ts';
import { readDoneDays } from '../clickhouse/ledger.ts';
import type { LoadCommand } from './command.ts';
import { groupBy } from './group.ts';
import { load, type Site } from './load.ts';
import { learnPeriods } from './periods.ts';
import { cutAt, planSlices, type Range } from './plan.ts';
import type { Progress } from './progress.ts';
import { run } from './run.ts';
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
  { stations, ...asked }: LoadCommand,
  progress: Progress,
  noMore: AbortSignal,
): Promise<Outcome> {
  const { client, origin, line } = site;
  const { source } = origin;
  // Nothing can be asked of a day to come.
  const range = cutAt(addDays(dayOf(Date.now() / 1000), 1), asked);
  const loadable =
    origin.kind === 'remote' && origin.endDay !== undefined ? cutAt(origin.endDay, range) : range;
  const plan = async (of: Range): Promise<Slice[]> => {
    if (of.firstDay >= of.endDay) return [];
    return planSlices(
      source,
      stations,
      of,
      await readDoneDays(client, { source, stations, ...of }, line.signal),
    );
  };

  const missing = await plan(loadable);
  const trouble = await learnPeriods(
    client,
    origin,
    [...new Set(missing.map(({ station }) => station))],
    line,
  );
  if (trouble !== undefined) progress.say(`${source} cannot be asked: ${trouble}`);
  const slices = missing.length === 0 || trouble !== undefined ? [] : await plan(loadable);
  progress.begin(slices.length);
  const work = {
    load: (slice: Slice) => load(site, slice),
    atOnce: origin.kind === 'remote' ? Math.max(2, origin.courtesy.parallel) : 2,
    done: progress.done,
    noMore,
    signal: line.signal,
  };
  if (!stations.includes(EVERY_STATION)) await run({ ...work, slices });
  else {
    const byYear = groupBy(slices, ({ firstDay }) => yearOf(firstDay));
    for (
      let year = yearOf(range.firstDay);
      year <= yearOf(addDays(range.endDay, -1)) && !noMore.aborted;
      year += 1
    ) {
      await run({ ...work, slices: byYear.get(year) ?? [] });
      if (!noMore.aborted) await settleYear(client, year, line.signal);
    }
  }

  const left = await plan(cutAt(firstYoungDay(new Date()), range));
  return {
    daysLeft: left.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0),
    stationsLeft: [
      ...new Set(left.map(({ station }) => (station === EVERY_STATION ? 'all stations' : station))),
    ],
  };
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}
