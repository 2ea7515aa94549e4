import { addDays, type Day, dayOf, dayStart, FIRST_DAY } from '../../clickhouse/model/day.ts';
import type { ReportSelection } from '../../clickhouse/statements/current-reports.ts';
import type { OptionValues } from './options.ts';
import { readStationFile } from './station-file.ts';

/** The part of the archive that a command works on: all of it, unless stations or days are named. */
export type Scope = {
  /** ICAO codes; empty for all stations. */
  readonly stations: readonly string[];
  readonly firstDay: Day;
  readonly endDay: Day;
};

/** Stations to print one by one, all of them where the list is empty; `undefined`: one line for all together. */
export type StatusDetail = readonly string[] | undefined;

export function readScope(values: OptionValues, errors: string[]): Scope {
  const tomorrow = addDays(dayOf(Date.now() / 1000), 1);
  const { firstDay = FIRST_DAY, endDay = tomorrow } = readDays(values, errors);
  return {
    stations: readStations(values, errors) ?? [],
    firstDay: notBefore(FIRST_DAY, firstDay),
    endDay,
  };
}

function notBefore(first: Day, day: Day): Day {
  if (day < first) return first;
  return day;
}

export function readDays(
  { from: firstDay, to: endDay }: OptionValues,
  errors: string[],
): { readonly firstDay: Day | undefined; readonly endDay: Day | undefined } {
  if (firstDay !== undefined && endDay !== undefined && firstDay >= endDay)
    errors.push(
      `--to must be after --from, because it is the day after the last one; for one day write --from ${firstDay} --to ${addDays(firstDay, 1)}`,
    );
  return { firstDay, endDay };
}

/** The stations of `--stations` or `--stations-file`: empty for `all`, `undefined` where neither is given. */
export function readStations(values: OptionValues, errors: string[]): readonly string[] | undefined {
  const { stations, 'stations-file': file } = values;
  if (stations !== undefined && file !== undefined)
    errors.push('--stations and --stations-file are both given: write one of them');
  if (file !== undefined) return readStationFile('stations-file', file, errors);
  if (!stations?.includes('all')) return stations;
  if (stations.length > 1) errors.push('--stations must be codes or all, not both');
  return [];
}

export function selectionOf({ stations, firstDay, endDay }: Scope): ReportSelection {
  return { stations, from: dayStart(firstDay), to: dayStart(endDay) };
}
