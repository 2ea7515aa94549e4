import { addDays, type Day, dayStart, FIRST_DAY } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import type { ReportSelection } from '../../../clickhouse/observations/current-reports.ts';
import { ICAO_WANTED, readDay, refuseStations } from './option.ts';
import { readStationFile } from './station-file.ts';

/** What part of the archive a command is about: all of it, unless stations or days are named. */
export type Scope = {
  /** ICAO codes; none for every station. */
  readonly stations: readonly string[];
  readonly firstDay: Day;
  readonly endDay: Day;
};

export const SCOPE_OPTIONS = ['stations', 'stations-file', 'from', 'to'] as const;

export function readScope(values: ReadonlyMap<string, string>, mistakes: string[], now = new Date()): Scope {
  const tomorrow = addDays(now.toISOString().slice(0, 10) as Day, 1);
  const firstDay = values.has('from') ? readDay('from', values.get('from'), mistakes) : FIRST_DAY;
  const endDay = values.has('to') ? readDay('to', values.get('to'), mistakes) : tomorrow;
  if (firstDay !== undefined && endDay !== undefined && firstDay >= endDay)
    mistakes.push('--to is not after --from: the last day meant is the one before --to');
  return {
    stations: readStations(values, mistakes),
    firstDay: firstDay === undefined || firstDay < FIRST_DAY ? FIRST_DAY : firstDay,
    endDay: endDay ?? tomorrow,
  };
}

/** Stations that are told of one by one, all of them where none is named; `undefined`: all together. */
export type StatusDetail = readonly string[] | undefined;

export function readDetail(values: ReadonlyMap<string, string>, mistakes: string[]): StatusDetail {
  const asked = values.has('stations') || values.has('stations-file');
  return asked ? readStations(values, mistakes) : undefined;
}

/** The stations of `--stations` or `--stations-file`; none where all are meant. */
function readStations(values: ReadonlyMap<string, string>, mistakes: string[]): readonly string[] {
  const list = values.get('stations');
  const file = values.get('stations-file');
  if (list !== undefined && file !== undefined)
    mistakes.push('--stations and --stations-file are both given: write one of them');
  if (file !== undefined) return readStationFile('stations-file', file, mistakes);
  if (list === undefined || list === 'all') return [];
  const stations = [...new Set(list.split(','))];
  refuseStations(stations, ICAO_CODE, ICAO_WANTED, mistakes);
  return stations;
}

export function selectionOf({ stations, firstDay, endDay }: Scope): ReportSelection {
  return { stations, from: dayStart(firstDay), to: dayStart(endDay) };
}
