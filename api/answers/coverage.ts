import { hash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import type { Moment } from '../../clickhouse/concurrency.ts';
import { coverageOf, readCoverage, type StationCoverage } from '../../clickhouse/coverage/coverage.ts';
import type { CoverageStates, CoverageStatus } from '../../clickhouse/coverage/rules.ts';
import type { CachedStates, CoverageStateCache } from '../../clickhouse/coverage/state-cache.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { dayNumber } from '../../clickhouse/model/day.ts';
import { citationsOf, type Source } from '../../clickhouse/model/report.ts';
import type { StationRange } from '../../clickhouse/model/time-window.ts';
import { type CachedText, toCachedText } from './envelope.ts';
import type { ResponseCache } from './memory.ts';

/** Memory of the coverage of a station, while being built and as text. */
export const STATION_BYTES = 512;

/** The members of `meta` about what the archive holds for a request: `coverage`, and `sources` with their citations. */
export type CoverageText = CachedText & {
  readonly status: CoverageStatus;
  readonly silentDays: number;
  /** Whose reports the archive has of these stations in the calendar years of the range. */
  readonly sources: readonly Source[];
  readonly readAt: Moment;
  /** When the coverage states that it is based on were read. */
  readonly statesReadAt: Moment;
  /** The UTC day on which it was built: each day, one more day becomes old enough to be done (D13). */
  readonly day: number;
};

/** Stations with one range for all of them; or `ranges`, each with some of the stations and their own range. */
export type CoveredRange = StationRange & { readonly ranges?: readonly StationRange[] | undefined };

/** Coverage states and answers in memory, which the requests of all clients share. */
export type Memory = { readonly states: CoverageStateCache; readonly cache: ResponseCache };

export function peekCoverage({ states, cache }: Memory, range: StationRange): CoverageText | undefined {
  const cached = cache.get(coverageKey(range)) as CoverageText | undefined;
  // Without a cached text, the states need no check.
  if (cached === undefined) return undefined;
  const known = states.peek([...range.stations, ALL_STATIONS]);
  return known !== undefined && isCurrent(cached, known) ? cached : undefined;
}

/** Call it before the rows are read, so that the coverage never claims more than the rows can hold (D16). */
export async function readStatesAndCoverage(
  memory: Memory,
  archive: Archive,
  range: CoveredRange,
  signal: AbortSignal,
): Promise<Pick<CachedStates, 'states' | 'parts'> & { readonly coverage: CoverageText }> {
  const known = await memory.states.current([...range.stations, ALL_STATIONS], signal);
  return { ...known, coverage: await readCoverageText(memory, archive, range, known) };
}

/** Cached, so a walk reads it again only after a change. `known` are the states of the stations and of `ALL_STATIONS`. */
export async function readCoverageText(
  { states, cache }: Memory,
  archive: Archive,
  range: CoveredRange,
  known: CachedStates,
): Promise<CoverageText> {
  const key = coverageKey(range);
  const cached = cache.get(key) as CoverageText | undefined;
  if (cached !== undefined && isCurrent(cached, known)) return cached;
  const day = today();
  const parts: StationCoverage[] = [];
  for (const each of range.ranges ?? [range])
    parts.push(...(await readCoverage(archive, each, known.states)).stations);
  const ofStations = new Map(parts.map((part) => [part.station, part]));
  const coverage = coverageOf(range.stations.flatMap((station) => ofStations.get(station) ?? []));
  const sources = sourcesOf(range, known.states);
  const members = { coverage, sources: citationsOf(sources) };
  const text = {
    ...toCachedText(Buffer.from(JSON.stringify(members).slice(1, -1))),
    status: coverage.status,
    silentDays: coverage.silentDays,
    sources,
    // It can contain data from the reports themselves, which is newer than the states.
    readAt: states.clock.tick(),
    statesReadAt: known.readAt,
    day,
  };
  cache.set(key, text);
  return text;
}

function sourcesOf(range: CoveredRange, states: CoverageStates): readonly Source[] {
  const found = new Set<Source>();
  for (const { stations, from, to } of range.ranges ?? [range])
    for (const station of stations)
      for (const { source, first, last } of states.get(station)?.reports ?? [])
        if (first < to && last >= from) found.add(source);
  return [...found].sort();
}

function isCurrent({ statesReadAt, day }: CoverageText, { readAt }: CachedStates): boolean {
  return statesReadAt === readAt && day === today();
}

function today(): number {
  return dayNumber(Date.now() / 1000);
}

/** A hash, because the codes of a thousand stations take 5 kB. */
function coverageKey({ stations, from, to, ranges }: CoveredRange): string {
  const ofStations = ranges === undefined ? '' : ` ${JSON.stringify(ranges)}`;
  return hash('sha256', `coverage ${from} ${to} ${stations.join()}${ofStations}`, 'base64url');
}
