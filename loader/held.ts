import type { ClickHouseClient } from '@clickhouse/client';
import { type Archived, readArchived } from '../clickhouse/archived.ts';
import { dayStart } from '../clickhouse/day.ts';
import { groupBy } from './group.ts';
import { EVERY_STATION, type Slice } from './sources/origin.ts';
import type { Fetched } from './split.ts';

/** What the archive holds where reports of a station may touch it. */
export type HeldOf = (station: string, reports: readonly Fetched[]) => Promise<readonly Archived[]>;

/** A way to look into the archive for the reports of a slice. */
export async function heldOf(client: ClickHouseClient, slice: Slice, signal: AbortSignal): Promise<HeldOf> {
  if (slice.station !== EVERY_STATION)
    return (station, reports) => readArchived(client, { station, ...wholeYears(reports) }, signal);
  const day = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const rows = await readArchived(client, { station: EVERY_STATION, ...day }, signal);
  const byStation = groupBy(rows, ({ station }) => station);
  return async (station, reports) => {
    const { from, to } = extent(reports);
    // A report filed at midnight may have been observed on the day before.
    if (from < day.from || to > day.to)
      return readArchived(client, { station, ...widest(day, { from, to }) }, signal);
    return byStation.get(station) ?? [];
  };
}

type Stretch = { readonly from: number; readonly to: number };

function extent(reports: readonly Fetched[]): Stretch {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const { observedAt } of reports) {
    if (observedAt < from) from = observedAt;
    if (observedAt >= to) to = observedAt + 1;
  }
  return { from, to };
}

function widest(one: Stretch, other: Stretch): Stretch {
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}

/** Types are settled over calendar years, so whole ones are looked at. */
function wholeYears(reports: readonly Fetched[]): Stretch {
  const { from, to } = extent(reports);
  const year = (seconds: number) => new Date(seconds * 1000).getUTCFullYear();
  return { from: Date.UTC(year(from), 0) / 1000, to: Date.UTC(year(to - 1) + 1, 0) / 1000 };
}
