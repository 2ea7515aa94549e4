import type { Archive } from '../../archive.ts';
import { selectRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';
import { ofStationWindow, type StationWindow } from '../stored-reports.ts';

const CANDIDATES = readStatement('maintenance/candidate_conflicts');
const CONFLICTS = readStatement('maintenance/type_conflicts');

/**
 * The stations with a report that is current under both types in a window. That happens only when two loaders write the
 * same report at the same time, so a statement of half the cost looks for candidates first.
 */
export async function findTypeConflicts(
  client: Archive,
  window: StationWindow,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const stationsOf = async (template: string) => {
    const rows = await selectRows<{ station: string }>(client, ofStationWindow(template, window), signal);
    return rows.map(({ station }) => station);
  };
  const candidates = await stationsOf(CANDIDATES);
  return candidates.length === 0 ? [] : stationsOf(CONFLICTS);
}
