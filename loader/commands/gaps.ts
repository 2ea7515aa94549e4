import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy, inGroups } from '../../clickhouse/group-by.ts';
import {
  countDays,
  type DayRange,
  type DaySet,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  subtract,
  unionOf,
  yearDays,
  yearsOf,
} from '../../clickhouse/model/day.ts';
import { STATION_WORDS, scopeOf, stationsOf, withScope } from '../args/options.ts';
import { findGaps, type Gap, type Gaps } from '../checks/gaps.ts';
import { isSourceName, SOURCE_ADAPTERS } from '../sources/registry.ts';
import { plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export function declareGaps({ add, accept }: LoaderProgram): void {
  const description = 'prints the days that are missing or have few reports, as commands that load them';
  withScope(add('gaps [STATION...]', description).argument(...STATION_WORDS))
    .option('--all', 'also the days that no load has requested, for every station that a source lists')
    .option('--json', 'print one JSON text, for programs')
    .action((words, { all: isAll = false, json: isJson = false, ...options }) => {
      const scope = scopeOf(stationsOf(words, options), options);
      const run = async ({ archive, output }: CommandContext) => {
        const days = isAll ? 'all' : 'asked';
        const found = await findGaps(archive, scope, new Date(), days);
        const { gaps, unfillable } = found;
        if (isJson) output.print(JSON.stringify({ loads: gapCommands(gaps).map(loadOf), unfillable }));
        else for (const each of formatGaps(found, days)) output.print(each);
        return gaps.length === 0;
      };
      accept({ kind: 'gaps', scope, isAll, isJson }, run, { needsTime: true });
    });
}

const NOTHING_MISSING = {
  asked: '# No requested day is missing. With --all, days that no load has requested are checked as well.',
  all: '# No day that a source lists for the stations of the archive is missing.',
} as const;

/**
 * A shell command for each load, followed by the reason in a comment. A last line counts the days that no source can
 * fill. If nothing is missing, a comment says so.
 */
export function formatGaps({ gaps, unfillable }: Gaps, about: 'all' | 'asked' = 'all'): readonly string[] {
  if (gaps.length === 0 && unfillable.days === 0) return [NOTHING_MISSING[about]];
  const commands = gapCommands(gaps).map(line);
  if (unfillable.days === 0) return commands;
  const days = unfillable.days === 1 ? '1 more day that is' : `${unfillable.days} more days that are`;
  const stations = plural(unfillable.stations, 'station');
  return [...commands, `# No source can fill ${days} not done, at ${stations}.`];
}

/** A load as `--json` prints it. */
function loadOf(command: GapCommand) {
  const { source, firstDay: from, endDay: to, refetch, gaps } = command;
  const stations = command.stations.map((station) => (station === ALL_STATIONS ? 'all' : station));
  const about = { kind: gaps[0]?.kind, source, stations, from, to, refetch, reason: reasonOf(command) };
  const words = `npm run load -- --source ${source} --stations ${stations.join(',')} --from ${from} --to ${to}`;
  return { ...about, command: refetch ? `${words} --refetch` : words };
}

function line(load: GapCommand): string {
  const { stations, gaps } = load;
  const named = new Set(gaps.map(({ station }) => station)).size;
  const ofAll = named > 1 ? ` at ${named} stations` : '';
  const where = stations.length > 1 ? ` at each of ${stations.length} stations` : ofAll;
  const { command, reason } = loadOf(load);
  return `${command}  # ${reason}${where}`;
}

function reasonOf({ gaps, firstDay, endDay }: GapCommand): string {
  const [gap] = gaps as readonly [Gap];
  const loaded = intersect(unionOf(gaps.flatMap(daySetOf)), daySetOf({ firstDay, endDay }));
  const days = plural(countDays(loaded), 'day');
  switch (gap.kind) {
    case 'not done':
      return `${days} not done`;
    case 'lost': {
      const lost = gaps.filter((each) => each.kind === 'lost');
      const stored = lost.reduce((sum, each) => sum + each.stored, 0);
      const recorded = lost.reduce((sum, each) => sum + each.recorded, 0);
      return `${stored} of the ${plural(recorded, 'report')} that the ledger records`;
    }
    case 'not recorded':
      return 'the ledger has no record of these days';
    case 'silent':
      return `no report on ${days}, unlike the station's other days: two runs on different days must find them empty`;
    case 'low count':
      return gaps.length > 1
        ? `fewer than half of the usual reports on ${days}`
        : `${plural(gap.reports, 'report')}; the surrounding days have ${gap.usual}`;
  }
}

type GapCommand = ReturnType<typeof commandOf>;

const STATIONS_PER_COMMAND = 50;

/**
 * The loads that fill these gaps. If a source sends all stations together, and that takes fewer requests for these days
 * than single stations, a year is loaded for all stations.
 */
export function gapCommands(gaps: readonly Gap[]): readonly GapCommand[] {
  const bySource = groupBy(gaps, ({ kind, source }) => `${kind} ${source}`);
  return [...bySource.values()].flatMap((some) => {
    const together = daysOfAllStations(some);
    const forAllStations = dayRangesOf(together).map((range) => {
      const covered = some.filter((gap) => intersect(daySetOf(gap), daySetOf(range)).length > 0);
      return commandOf(covered, range, [ALL_STATIONS]);
    });
    const left = some.flatMap((gap) =>
      dayRangesOf(subtract(daySetOf(gap), together)).map((range) => ({ ...gap, ...range })),
    );
    return [...forAllStations, ...byDays(left)];
  });
}

const FEW_RANGES = 3;

/**
 * Stations that lack the same days share a command. If a station has more than `FEW_RANGES` ranges in a calendar year, one command
 * spans them all: a load requests only the days that are not done, and takes one request for a year.
 */
function byDays(gaps: readonly Gap[]): readonly GapCommand[] {
  const ofYears = groupBy(gaps, ({ station, firstDay, endDay }) => {
    const isWithinYear = endDay <= `${Number(firstDay.slice(0, 4)) + 1}-01-01`;
    return isWithinYear ? `${station} ${firstDay.slice(0, 4)}` : '';
  });
  const [many, few] = [[] as GapCommand[], [] as Gap[]];
  for (const [key, some] of ofYears) {
    const days = dayRangesOf(unionOf(some.flatMap(daySetOf)));
    const [first, last] = [days[0] as DayRange, days.at(-1) as DayRange];
    if (key === '' || some.length <= FEW_RANGES) few.push(...some);
    else many.push(commandOf(some, { ...first, endDay: last.endDay }, [(some[0] as Gap).station]));
  }
  return [...ofSameDays(few), ...many];
}

function ofSameDays(gaps: readonly Gap[]): readonly GapCommand[] {
  const sameDays = groupBy(gaps, (gap) => {
    const ofOneStation = gap.kind === 'low count' ? gap.station : '';
    return `${gap.firstDay} ${gap.endDay} ${ofOneStation}`;
  });
  return [...sameDays.values()]
    .flatMap((some) => inGroups(some, STATIONS_PER_COMMAND))
    .map((group) => commandOf(group, group[0] as Gap, [...new Set(group.map(({ station }) => station))]));
}

/** @param gaps at least one, all of one kind; `stations`: ICAO codes, or `ALL_STATIONS` alone */
function commandOf(gaps: readonly Gap[], { firstDay, endDay }: DayRange, stations: readonly string[]) {
  const { source, kind } = gaps[0] as Gap;
  return { source, stations, firstDay, endDay, refetch: kind !== 'not done', gaps };
}

/** The days to load for all stations, because that is cheaper or the only way. */
function daysOfAllStations(gaps: readonly Gap[]): DaySet {
  const [{ source, kind }] = gaps as readonly [Gap];
  const adapter = isSourceName(source) ? SOURCE_ADAPTERS[source]() : undefined;
  if (!adapter?.givesAllStations) return NO_DAYS;
  const days = unionOf(gaps.flatMap(daySetOf));
  if (adapter.givesAllStations === 'only') return days;
  if (kind !== 'not done') return NO_DAYS;
  const [day] = dayRangesOf(days) as [DayRange];
  const requestsPerDay = adapter.requests({ source, station: ALL_STATIONS, ...day }).length;
  const years = new Set(dayRangesOf(days).flatMap(yearsOf));
  return unionOf(
    [...years].flatMap((year) => {
      const ofYear = intersect(days, yearDays(year));
      const stations = gaps.filter((gap) => intersect(daySetOf(gap), ofYear).length > 0).length;
      return requestsPerDay * countDays(ofYear) < stations ? ofYear : NO_DAYS;
    }),
  );
}
