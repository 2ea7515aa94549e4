import type { Archive } from '../../clickhouse/archive.ts';
import {
  type EarlyDays,
  readEarlyDays,
  withdrawEarlyDays,
} from '../../clickhouse/coverage/ledger/early-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { dayRangesOf, daySetOf, intersect } from '../../clickhouse/model/day.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import type { Log } from '../progress/display.ts';

const MAX_LINES = 20;

/** Opens the days that a loader with a wrong clock has recorded as done, wherever they are: the next plan has them. */
export async function openEarlyDays(archive: Archive, log: Log): Promise<void> {
  const early = await readEarlyDays(archive);
  if (early.length === 0) return;
  await withdrawEarlyDays(archive, early);
  const lines = early.flatMap(earlyDayLines);
  for (const line of lines.slice(0, MAX_LINES)) log(`${line}; no longer counted as done`);
  if (lines.length > MAX_LINES)
    log(`and ${lines.length - MAX_LINES} more such ranges; no longer counted as done`);
}

/** One line for each range of days of a scope, of these sources, that such a loader has recorded. */
export async function findEarlyDays(
  archive: Archive,
  { stations, ...range }: Scope,
  sources: readonly string[],
): Promise<readonly string[]> {
  const isAsked = ({ source, station }: EarlyDays) =>
    sources.includes(source) &&
    (station === ALL_STATIONS || stations.length === 0 || stations.includes(station));
  return (await readEarlyDays(archive))
    .filter(isAsked)
    .map((early) => ({ ...early, days: intersect(early.days, daySetOf(range)) }))
    .flatMap(earlyDayLines);
}

function earlyDayLines({ source, station, days }: EarlyDays): readonly string[] {
  const name = station === ALL_STATIONS ? 'all' : station;
  return dayRangesOf(days).map(
    ({ firstDay, endDay }) =>
      `${source} ${name} ${firstDay} to ${endDay}: recorded as done before 72 hours had passed, by a clock that was ahead`,
  );
}
