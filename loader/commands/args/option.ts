import { type Day, parseDay } from '../../../clickhouse/model/day.ts';

/** Each reads the text of one option; a mistake is added to `mistakes`, with what to write instead. */

export function readDay(option: string, text: string | undefined, mistakes: string[]): Day | undefined {
  const day = parseDay(text ?? '');
  if (day === undefined)
    mistakes.push(`--${option} is ${shown(text)}: write an existing UTC day like 2024-01-31`);
  return day;
}

/** A week between two requests is no pace any more, and timers cannot count further than 24 days. */
const MOST_INTERVAL_SECONDS = 604_800;

export function readInterval(text: string | undefined, mistakes: string[]): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= MOST_INTERVAL_SECONDS) return seconds;
  mistakes.push(`--interval is ${shown(text)}: write seconds from 0 to ${MOST_INTERVAL_SECONDS}`);
  return undefined;
}

const SAMPLE = 10;
const MOST_SAMPLE = 100_000;

/** How many slices are taken by chance. */
export function readSample(text: string | undefined, mistakes: string[]): number {
  if (text === undefined) return SAMPLE;
  const sample = /^\d+$/.test(text) ? Number(text) : 0;
  if (sample >= 1 && sample <= MOST_SAMPLE) return sample;
  mistakes.push(`--sample is ${shown(text)}: write a number of slices from 1 to ${MOST_SAMPLE}`);
  return SAMPLE;
}

export function refuseStations(
  stations: readonly string[],
  pattern: RegExp,
  wanted: string,
  mistakes: string[],
): void {
  const wrong = stations.filter((station) => !pattern.test(station));
  if (wrong.length > 0)
    mistakes.push(
      `--stations holds ${wrong.map(shown).join(', ')}: write codes ${wanted}, with commas between them`,
    );
}

export const ICAO_WANTED = 'of ICAO, four letters or digits in upper case like KJFK';

export function shown(text: string | undefined): string {
  return text === undefined || text === '' ? 'missing' : JSON.stringify(text);
}
