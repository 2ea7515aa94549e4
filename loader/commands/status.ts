import type { ClickHouseClient } from '@clickhouse/client';
import {
  countReports,
  readListingsByStation,
  readStationYears,
  type StationYear,
  type YearlyReports,
} from '../../clickhouse/coverage/station-years.ts';
import { addDays, dayOf, dayStart, FIRST_DAY } from '../../clickhouse/model/day.ts';
import { groupBy } from '../group-by.ts';
import type { StatusDetail } from './args/scope.ts';
import { stationLines, summaryLines, type YearStatus, yearStatus } from './format-status.ts';

const FIRST_YEAR = Number(FIRST_DAY.slice(0, 4));

/** What the archive holds and lacks: by year over all stations, or station by station where they are asked for. */
export async function statusOf(
  client: ClickHouseClient,
  detail: StatusDetail,
  now: Date,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const named = detail ?? [];
  const listed = new Map(await readListingsByStation(client, named, signal));
  const summary: YearStatus[] = [];
  const byStation = new Map<string, { held: StationYear; status: YearStatus }[]>();
  for (let year = FIRST_YEAR; year <= now.getUTCFullYear(); year += 1) {
    const range = { from: Date.UTC(year, 0) / 1000, to: Math.min(Date.UTC(year + 1, 0) / 1000, endOf(now)) };
    const reports = await countReports(client, year, named, signal);
    // Reports can come without a listing, from files.
    for (const { station } of reports) if (!listed.has(station)) listed.set(station, []);
    const years = await readStationYears(client, year, range, listed, now, signal);
    summary.push(yearStatus(year, years, reports));
    if (detail === undefined) continue;
    const reportsOf = groupBy(reports, ({ station }: YearlyReports) => station);
    for (const held of years) {
      const status = yearStatus(year, [held], reportsOf.get(held.station) ?? []);
      byStation.set(held.station, [...(byStation.get(held.station) ?? []), { held, status }]);
    }
  }
  if (detail === undefined || byStation.size === 0) return summaryLines(summary);
  return [...byStation].flatMap(([station, years]) => stationLines(station, years));
}

/** The midnight that ends today. */
function endOf(now: Date): number {
  return dayStart(addDays(dayOf(now.getTime() / 1000), 1));
}
