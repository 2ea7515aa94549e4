import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, dayOf, FIRST_DAY, parseDay } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { once } from '../../clickhouse/program-arguments.ts';
import { isSourceName, SOURCE_ADAPTERS, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';

/** Options of several commands. */
export const OPTIONS = {
  source: option(
    '--source <names>',
    `${SOURCE_NAMES.join(', ')}, or several at the same time: iem,ogimet,ncei; demo generates synthetic reports for the stations XAAA to XZZZ`,
    parseSources,
  ),
  stations: option('--stations <codes>', 'ICAO codes separated by commas, or all', parseStations),
  stationsFile: option(
    '--stations-file <file>',
    'file of ICAO codes, in the order in which to load them, instead of --stations; # starts a comment',
    readStationFile,
  ).conflicts('stations'),
  from: option('--from <day>', `first UTC day, ${FIRST_DAY} or later`, parseDayOption),
  to: option('--to <day>', 'the UTC day after the last one', parseDayOption),
  interval: option(
    '--interval <time>',
    'from the start of a request to the start of the next, like 2s, instead of the interval of the source',
    // Two requests a week apart are too slow for any load, and Node's timers end at 24 days.
    timeWithin(0, 604_800, 'from 0s to 168h, like 500ms, 2s or 1m'),
  ),
};

export function withScope<Words extends unknown[], Options extends OptionValues>(
  command: Command<Words, Options>,
) {
  const { stations, stationsFile, from, to } = OPTIONS;
  return command.addOption(stations).addOption(stationsFile).addOption(from).addOption(to);
}

export function option<Flags extends string, Value>(
  flags: Flags,
  description: string,
  parse: (text: string) => Value,
) {
  return new Option(flags, description).argParser(once(parse));
}

/** The argument of a command that takes the codes of stations as words, and its description. */
export const STATION_WORDS = ['[station...]', 'ICAO codes, or all'] as const;

type StationOptions = { readonly stations?: readonly string[]; readonly stationsFile?: readonly string[] };

/** The codes given as words or by an option: an empty list for all stations, `undefined` if none are given. */
export function stationsOf(words: readonly string[], { stations, stationsFile }: StationOptions = {}) {
  const named = stationsFile ?? stations;
  if (words.length === 0) return named;
  if (named === undefined) return parseStations(words.join(','));
  throw new InvalidArgumentError('Write stations as words or with --stations, not both.');
}

/** @param stations codes; none or an empty list for all stations */
export function scopeOf(
  stations: readonly string[] | undefined,
  { from = FIRST_DAY, to }: { readonly from?: Day; readonly to?: Day },
): Scope {
  const firstDay = from < FIRST_DAY ? FIRST_DAY : from;
  refuseWrongDays(firstDay, to);
  const endDay = to ?? addDays(dayOf(Date.now() / 1000), 1);
  return { stations: stations ?? [], firstDay, endDay };
}

export function refuseWrongDays(firstDay: Day, endDay?: Day): void {
  if (firstDay < FIRST_DAY)
    throw new InvalidArgumentError(
      `--from must be ${FIRST_DAY} or later, the first day of the archive; found ${firstDay}`,
    );
  if (endDay !== undefined && firstDay >= endDay)
    throw new InvalidArgumentError(
      `--to must be after --from, because it is the day after the last one; for one day write --from ${firstDay} --to ${addDays(firstDay, 1)}`,
    );
}

const MAX_SAMPLE = 100_000;
const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
/** A list can have a thousand wrong items; the first few show the mistake. */
const MAX_ITEMS_SHOWN = 5;

function parseDayOption(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new InvalidArgumentError('Write an existing UTC day, like 2024-01-31.');
  return day;
}

/** A parser of `500ms`, `2s`, `30m`, `1h` or a number of seconds, which gives seconds. `limits`: both limits in words. */
export function timeWithin(least: number, most: number, limits: string): (text: string) => number {
  return (text) => {
    const [, count, unit = 's'] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text) ?? [];
    const seconds = Number(count) * (SECONDS_OF_UNIT[unit] as number);
    if (seconds >= least && seconds <= most) return seconds;
    throw new InvalidArgumentError(`Write a time ${limits}.`);
  };
}

export function parseSample(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > MAX_SAMPLE)
    throw new InvalidArgumentError(`Write a number of slices from 1 to ${MAX_SAMPLE}.`);
  return Number(text);
}

function parseSources(text: string): readonly SourceName[] {
  const names = [...new Set(text.split(','))];
  if (!names.every(isSourceName))
    throw new InvalidArgumentError(
      `Write one of ${SOURCE_NAMES.join(', ')}, or several of them with commas. Files are loaded by "import PATH", a snapshot by "restore DIR".`,
    );
  if (names.length > 1 && names.includes('demo'))
    throw new InvalidArgumentError('The source demo has stations of its own: write it alone.');
  return names;
}

/** Codes; an empty list for `all`. */
function parseStations(text: string): readonly string[] {
  if (text === 'all') return [];
  const codes = text.split(',');
  if (codes.includes('all')) throw new InvalidArgumentError('Write codes or all, not both.');
  return icaoCodes(codes, ', or all');
}

/** Reads a file of codes that are separated by white space, commas or line ends; `#` starts a comment. */
function readStationFile(path: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/#.*/g, '');
  } catch (error) {
    throw new InvalidArgumentError(`The file is not readable: ${(error as Error).message}`);
  }
  const codes = text.split(/[\s,]+/).filter((code) => code !== '');
  if (codes.length === 0) throw new InvalidArgumentError('The file has no stations.');
  return icaoCodes(codes);
}

/**
 * The codes, each of them once. Throws if one is not an ICAO code.
 *
 * @param instead what the user may write instead, for the message: `, or all`
 */
export function icaoCodes(codes: readonly string[], instead = ''): readonly string[] {
  const wrong = codes.filter((code) => !ICAO_CODE.test(code));
  if (wrong.length === 0) return [...new Set(codes)];
  const shown = wrong
    .slice(0, MAX_ITEMS_SHOWN)
    .map((code) => (code === '' ? 'an empty item' : JSON.stringify(code.slice(0, 32))));
  const more = wrong.length > MAX_ITEMS_SHOWN ? ` and ${wrong.length - MAX_ITEMS_SHOWN} more` : '';
  throw new InvalidArgumentError(
    `Write ICAO codes of four letters or digits in upper case, like KJFK,EGLL${instead}; found ${shown.join(', ')}${more}.`,
  );
}

const DEMO_CODE = /^X[A-Z]{3}$/;

/**
 * The stations of a load or of `follow`, in the form that these sources take.
 *
 * @param stations codes, or an empty list for all stations
 */
export function stationsFor(sources: readonly SourceName[], stations: readonly string[] | undefined) {
  if (stations?.length === 0) {
    const source = sources.find((name) => !hasAllStations(name));
    if (source === undefined) return [ALL_STATIONS];
    const names = SOURCE_NAMES.filter(hasAllStations).join(' or ');
    throw new InvalidArgumentError(
      `--stations all is not possible with ${source}: write codes, or use ${names}`,
    );
  }
  const allAlone = sources.find((source) => SOURCE_ADAPTERS[source]().givesAllStations === 'only');
  if (allAlone !== undefined)
    throw new InvalidArgumentError(`--source ${allAlone} sends all stations together: write --stations all`);
  if (stations === undefined)
    throw new InvalidArgumentError(
      '--stations is required: write codes, like --stations KJFK,EGLL, or all; or --stations-file FILE',
    );
  const unknown = sources.includes('demo') ? stations.filter((code) => !DEMO_CODE.test(code)) : [];
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `--stations must be codes from XAAA to XZZZ with --source demo; found ${unknown.join(', ')}`,
    );
  return stations;
}

function hasAllStations(source: SourceName): boolean {
  const adapter = SOURCE_ADAPTERS[source]();
  return adapter.givesAllStations !== false || adapter.yearArchives !== undefined;
}
