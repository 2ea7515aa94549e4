import type { Archive } from '../../archive.ts';
import { yearOf } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { POINT_READ, selectRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';
import { reportsWithin } from '../rules.ts';
import type { CoverageState } from '../state/state.ts';
import type { YearWindow } from './year-reports.ts';

/** The sources that have reports of a station in a requested part of a year, by station and year. */
type SourcesByYear = ReadonlyMap<string, ReadonlyMap<number, readonly Source[]>>;

const SOURCES_WITH_REPORTS = readStatement('coverage/sources_with_reports');

const HOUR = 3600;

/**
 * For most windows the first and last report of a source decide. Between the two, the hours of the coverage view do, so
 * part of an hour counts as the whole hour.
 */
export async function readYearSources(
  client: Archive,
  states: ReadonlyMap<string, CoverageState>,
  windows: readonly YearWindow[],
  signal: AbortSignal,
): Promise<SourcesByYear> {
  const sources = new Map<string, Map<number, Source[]>>();
  const unknown = new Map<YearWindow, Map<string, Set<Source>>>();
  const byYear = new Map(windows.map((window) => [window.year, window]));
  for (const [station, { reports }] of states) {
    const ofStation = new Map<number, Source[]>();
    sources.set(station, ofStation);
    for (const span of reports) {
      const window = byYear.get(yearOf(span.first));
      const found = window === undefined ? 'no' : reportsWithin(window, [span]);
      if (window === undefined || found === 'no') continue;
      if (found === 'yes') ofStation.set(window.year, [...(ofStation.get(window.year) ?? []), span.source]);
      else addTo(unknown, window, station, span.source);
    }
  }
  for (const [window, asked] of unknown)
    for (const { station, source } of await sourcesWithin(client, [...asked.keys()], window, signal)) {
      const ofStation = sources.get(station);
      if (asked.get(station)?.has(source))
        ofStation?.set(window.year, [...(ofStation.get(window.year) ?? []), source]);
    }
  return sources;
}

function addTo(
  unknown: Map<YearWindow, Map<string, Set<Source>>>,
  window: YearWindow,
  station: string,
  source: Source,
): void {
  const ofWindow = unknown.get(window) ?? new Map<string, Set<Source>>();
  unknown.set(window, ofWindow.set(station, (ofWindow.get(station) ?? new Set<Source>()).add(source)));
}

function sourcesWithin(
  client: Archive,
  stations: readonly string[],
  { year, from, to }: YearWindow,
  signal: AbortSignal,
): Promise<readonly { readonly station: string; readonly source: Source }[]> {
  const start = Date.UTC(year, 0) / 1000;
  const params = {
    stations,
    year,
    firstHour: Math.floor((from - start) / HOUR),
    endHour: Math.ceil((to - start) / HOUR),
  };
  return selectRows(client, { query: SOURCES_WITH_REPORTS, params, settings: POINT_READ }, signal);
}
