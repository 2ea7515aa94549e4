import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { addDaysOfYear, type DayRun, unionOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { columnsOf } from '../native-blocks.ts';
import { namedStatement, POINT_READ } from '../statements/select.ts';
import { type CoverageStates, provenDays, type ReportSpan } from './rules.ts';
import { readListings } from './station-listings.ts';

type StateColumns = Record<'_station' | '_year' | '_first' | '_last' | '_hours', Uint32Array> &
  Record<'_source' | '_days' | '_reportDays', readonly string[]>;

/** @param names ICAO codes, each with an entry in the result; `*` names the slices over all stations */
export async function readCoverageStates(
  archive: Archive,
  names: readonly string[],
): Promise<CoverageStates> {
  const stations = [...new Set(names)];
  const [bytes, listings] = await Promise.all([
    archive.select(namedStatement('coverage/coverage_of_stations', { stations }, POINT_READ)),
    readListings(archive, { stations }),
  ]);
  const found = stations.map(() => ({
    done: new Map<Source, DayRun[]>(),
    reports: [] as ReportSpan[],
    reportDays: [] as DayRun[],
  }));
  const columns = columnsOf(bytes) as StateColumns;
  const { _station, _source, _year, _days, _reportDays, _first, _last, _hours } = columns;
  for (const [row, station] of (_station ?? []).entries()) {
    const of = found[station] as (typeof found)[number];
    const [source, year] = [_source[row] as Source, _year[row] as number];
    const done = of.done.get(source) ?? [];
    of.done.set(source, done);
    addDaysOfYear(done, year, _days[row] as string);
    addDaysOfYear(of.reportDays, year, _reportDays[row] as string);
    const [first, last] = [_first[row] as number, _last[row] as number];
    if (first > 0) of.reports.push({ source, first, last, hours: _hours[row] as number });
  }
  const listingsOf = groupBy(listings, ({ station }) => station);
  return new Map(
    found.map(({ done, reports, reportDays }, at) => [
      stations[at] as string,
      {
        done: [...done]
          .map(([source, days]) => ({ source, days: provenDays(source, unionOf(days)) }))
          .filter(({ days }) => days.length > 0),
        reports,
        reportDays: unionOf(reportDays),
        listings: listingsOf.get(stations[at] as string) ?? [],
      },
    ]),
  );
}
