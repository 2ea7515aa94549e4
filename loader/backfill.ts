import type { ClickHouseClient } from '@clickhouse/client';
import { addDays, dayOf, daysBetween, firstYoungDay } from '../clickhouse/day.ts';
import { readDoneDays } from '../clickhouse/ledger.ts';
import type { LoadCommand } from './command.ts';
import type { Line } from './fetch.ts';
import { load } from './load.ts';
import { learnPeriods } from './periods.ts';
import { cutAt, planSlices, type Range } from './plan.ts';
import type { Progress } from './progress.ts';
import { run } from './run.ts';
import type { Origin, Slice } from './sources/origin.ts';

export type Outcome = {
  /** Days of the range that are old enough (D13) and yet not done, over all stations. */
  readonly daysLeft: number;
  readonly stationsLeft: readonly string[];
};

/** Loads what the archive lacks of a range. What is done is not asked for, so stop and start make no difference. */
export async function backfill(
  client: ClickHouseClient,
  origin: Origin,
  command: LoadCommand,
  line: Line,
  progress: Progress,
  noMore: AbortSignal,
): Promise<Outcome> {
  const { source } = origin;
  const { stations } = command;
  // Nothing can be asked of a day to come.
  const range = cutAt(addDays(dayOf(Date.now() / 1000), 1), command);
  const plan = async (of: Range): Promise<Slice[]> => {
    if (of.firstDay >= of.endDay) return [];
    return planSlices(
      source,
      stations,
      of,
      await readDoneDays(client, { source, stations, ...of }, line.signal),
    );
  };

  const missing = await plan(range);
  await learnPeriods(client, origin, [...new Set(missing.map(({ station }) => station))], line);
  const slices = missing.length === 0 ? [] : await plan(range);
  progress.begin(slices.length);
  await run({
    slices,
    load: (slice) => load(client, origin, slice, line),
    atOnce: origin.kind === 'remote' ? origin.courtesy.parallel + 1 : 2,
    done: progress.done,
    noMore,
    signal: line.signal,
  });

  const left = await plan(cutAt(firstYoungDay(new Date()), range));
  return {
    daysLeft: left.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0),
    stationsLeft: [...new Set(left.map(({ station }) => station))],
  };
}
