import type { Archive } from '../../clickhouse/archive.ts';
import { readKnownStations } from '../../clickhouse/stations.ts';
import { addSkips, skip, WRONG_STATION } from '../sources/source.ts';
import type { NormalizedReports } from './normalize.ts';

/**
 * Skips the reports whose text states another station that exists, though only one letter differs: EGLC and EGLL are two
 * airports of London. A code that nobody knows is a slip, and its report is kept (D67).
 *
 * @param listed stations that are known beside those of the archive
 */
export async function skipOtherStations(
  archive: Archive,
  normalized: NormalizedReports,
  listed: Iterable<string> = [],
): Promise<NormalizedReports> {
  const { statedCodes, ...others } = normalized;
  if (statedCodes === undefined) return normalized;
  const stations = [...new Set(statedCodes.values())];
  const known = await readKnownStations(archive, { stations }, undefined, stations.length);
  const existing = new Set([
    ...listed,
    ...known.map(({ station }) => station),
    ...normalized.reports.map(({ station }) => station),
  ]);
  const skipped = {};
  addSkips(skipped, normalized.skipped);
  const reports = normalized.reports.filter((report) => {
    const isOther = existing.has(statedCodes.get(report) ?? '');
    if (isOther) skip(skipped, WRONG_STATION);
    return !isOther;
  });
  return { ...others, reports, skipped };
}
