import type { Archive } from '../../archive.ts';
import { type Day, type DayRange, type DaySet, daySetOf, unionOf } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { streamRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';
import type { StationDays } from '../station-days.ts';
import { ALL_STATIONS } from '../station-listings.ts';

const ASKED_DAYS = readStatement('ledger/asked_days');

type Row = {
  readonly station: string;
  readonly source: Source;
  readonly ranges: readonly (readonly [firstDay: Day, endDay: Day])[];
};

/**
 * The days of a station that loads have requested from any source except synthetic reports. A load of all stations
 * requests those that its source lists.
 *
 * @param stations empty for all
 */
export async function readAskedDays(
  client: Archive,
  { stations, ...range }: DayRange & { readonly stations: readonly string[] },
  signal: AbortSignal,
): Promise<(of: Pick<StationDays, 'station' | 'listings'>) => DaySet> {
  const byStation = new Map<string, DaySet>();
  const ofAllStations = new Map<Source, DaySet>();
  const params = { stations: stations.length === 0 ? [] : [...stations, ALL_STATIONS], ...range };
  for await (const rows of streamRows<Row>(client, { query: ASKED_DAYS, params }, signal))
    for (const { station, source, ranges } of rows) {
      const days = unionOf(ranges.flatMap(([firstDay, endDay]) => daySetOf({ firstDay, endDay })));
      if (station === ALL_STATIONS) ofAllStations.set(source, days);
      else byStation.set(station, unionOf([...(byStation.get(station) ?? []), ...days]));
    }
  return ({ station, listings }) =>
    unionOf([
      ...(byStation.get(station) ?? []),
      ...listings.flatMap(({ source }) => ofAllStations.get(source) ?? []),
    ]);
}
