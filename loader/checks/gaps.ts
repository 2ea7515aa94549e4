import type { Archive } from '../../clickhouse/archive.ts';
import { readAskedDays } from '../../clickhouse/coverage/ledger/ledger.ts';
import {
  readListedStations,
  readStationDays,
  type StationDays,
} from '../../clickhouse/coverage/station-days.ts';
import { countDays, daySetOf, intersect, NO_DAYS, yearsOf } from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { SOURCE_NAMES } from '../sources/registry.ts';
import { findGapsOfDoneDays } from './done-days.ts';
import { addGaps, type Gap } from './gap.ts';
import { findSilentDays } from './silent-days.ts';

export type Gaps = {
  readonly gaps: readonly Gap[];
  readonly unfillable: { readonly days: number; readonly stations: number };
};

/**
 * Everything in a scope that should be loaded, or loaded again.
 *
 * @param days `asked`: only those that loads have requested, and no synthetic reports
 */
export async function findGaps(archive: Archive, scope: Scope, now: Date, days: 'all' | 'asked' = 'all') {
  const askedOf = days === 'asked' ? await readAskedDays(archive, scope) : undefined;
  const stations = scope.stations.length > 0 ? scope.stations : await readListedStations(archive);
  const gaps: Gap[] = [];
  const unfillable = { days: 0, stations: 0 };
  const byStation = new Map<string, StationDays>();
  for await (const ofStation of readStationDays(archive, stations, scope, now)) {
    byStation.set(ofStation.station, ofStation);
    const open = askedOf === undefined ? ofStation.open : intersect(ofStation.open, askedOf(ofStation));
    const candidates = sourcesByPreference(ofStation).map((source) => ({ source, days: open }));
    const left = addGaps(gaps, 'not done', ofStation, { days: open, candidates });
    if (left.length === 0) continue;
    unfillable.days += countDays(left);
    unfillable.stations += 1;
  }
  for (const year of yearsOf(scope))
    gaps.push(...(await findGapsOfDoneDays(archive, scope, year, byStation)));
  const silent = await findSilentDays(archive, scope, byStation);
  const isSilent = (gap: Gap) => intersect(silent.days.get(gap.station) ?? NO_DAYS, daySetOf(gap)).length > 0;
  const found = [...gaps.filter((gap) => gap.kind !== 'low count' || !isSilent(gap)), ...silent.gaps];
  return { gaps: days === 'all' ? found : found.filter(({ source }) => source !== 'demo'), unfillable };
}

/** The sources that list a station: those that delivered most of its days first, then the largest. */
function sourcesByPreference({ done, listings }: StationDays): readonly Source[] {
  const listedBy = new Set(listings.map(({ source }) => source));
  const loadedFrom = done.map(({ source }) => source);
  return [...new Set([...loadedFrom, ...SOURCE_NAMES, ...listedBy])].filter((source) => listedBy.has(source));
}
