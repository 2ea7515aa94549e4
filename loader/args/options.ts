import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { addDays, type Day, dayOf, FIRST_DAY } from '../../clickhouse/model/day.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { once } from '../../clickhouse/program-arguments.ts';
import { SOURCE_NAMES } from '../sources/registry.ts';
import {
  parseDayOption,
  parseInterval,
  parseSources,
  parseStations,
  readStationFile,
} from './option-values.ts';

/** Options that several commands have. */
export const SOURCE = option(
  '--source <names>',
  `${SOURCE_NAMES.join(', ')}, or several at the same time: iem,ogimet,ncei; demo generates synthetic reports for the stations XAAA to XZZZ`,
  parseSources,
);
export const STATIONS = option('--stations <codes>', 'ICAO codes separated by commas, or all', parseStations);
export const STATIONS_FILE = option(
  '--stations-file <file>',
  'file of ICAO codes, instead of --stations; # starts a comment',
  readStationFile,
).conflicts('stations');
export const FROM = option('--from <day>', `first UTC day, ${FIRST_DAY} or later`, parseDayOption);
export const TO = option('--to <day>', 'the UTC day after the last one', parseDayOption);
export const INTERVAL = option(
  '--interval <time>',
  'from the start of a request to the start of the next, like 2s, instead of the interval of the source',
  parseInterval,
);

export function option<Flags extends string, Value>(
  flags: Flags,
  description: string,
  parse: (text: string) => Value,
) {
  return new Option(flags, description).argParser(once(parse));
}

/** The argument of a command whose names are stations, and how its words are read. */
export const STATION_WORDS = ['[station...]', 'ICAO codes, or all'] as const;

/** @returns `undefined` if there are none; an empty list for all stations */
export function stationsOf(words: readonly string[]): readonly string[] | undefined {
  if (words.length === 0) return undefined;
  const stations = parseStations(words.join(','));
  return stations === 'all' ? [] : stations;
}

type StationOptions = {
  readonly stations?: readonly string[] | 'all';
  readonly stationsFile?: readonly string[];
};

/** Codes; an empty list for all stations; `undefined` if neither option is given. */
export function stationsIn({ stations, stationsFile }: StationOptions): readonly string[] | undefined {
  return stationsFile ?? (stations === 'all' ? [] : stations);
}

/** @param stations codes; none or an empty list for all stations */
export function scopeOf(
  stations: readonly string[] | undefined,
  { from = FIRST_DAY, to }: { readonly from?: Day; readonly to?: Day },
): Scope {
  const firstDay = from < FIRST_DAY ? FIRST_DAY : from;
  if (to !== undefined) refuseEmptyRange(firstDay, to);
  const endDay = to ?? addDays(dayOf(Date.now() / 1000), 1);
  return { stations: stations ?? [], firstDay, endDay };
}

export function refuseEmptyRange(firstDay: Day, endDay: Day): void {
  if (firstDay >= endDay)
    throw new InvalidArgumentError(
      `--to must be after --from, because it is the day after the last one; for one day write --from ${firstDay} --to ${addDays(firstDay, 1)}`,
    );
}
