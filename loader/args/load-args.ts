import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type Day, FIRST_DAY } from '../../clickhouse/model/day.ts';
import { SOURCE_ADAPTERS, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { LoadCommand } from './command.ts';
import { OPTIONS, type OptionValues } from './options.ts';
import { readDays, readStations } from './scope.ts';
import { readStationFile } from './station-file.ts';

export function readLoad(values: OptionValues, errors: string[]): LoadCommand | undefined {
  const sources = readSources(values, errors) ?? [];
  const stations = readLoadStations(values, sources, errors);
  const { firstDay, endDay } = readDays(values, errors);
  refuseEarlierDays(firstDay, errors);
  const priorityFile = values['priority-file'];
  const priority = priorityFile === undefined ? [] : readStationFile('priority-file', priorityFile, errors);
  if (firstDay === undefined || endDay === undefined) return undefined;
  return {
    kind: 'load',
    sources,
    stations,
    firstDay,
    endDay,
    intervalSeconds: values.interval,
    preference: { order: values.order, priority },
    again: values.again ?? false,
    dryRun: values['dry-run'] ?? false,
  };
}

export function refuseEarlierDays(firstDay: Day | undefined, errors: string[]): void {
  if (firstDay !== undefined && firstDay < FIRST_DAY)
    errors.push(`--from must be ${FIRST_DAY} or later, the first day of the archive; found ${firstDay}`);
}

/** `undefined` where `--source` is not given. */
export function readSources({ source }: OptionValues, errors: string[]): readonly SourceName[] | undefined {
  if (source !== undefined && source.length > 1 && source.includes('demo'))
    errors.push('--source demo has stations of its own: write it alone');
  return source;
}

function hasAllStations(adapter: SourceAdapter): boolean {
  return (
    adapter.givesAllStations !== false || (adapter.kind === 'remote' && adapter.yearArchives !== undefined)
  );
}

function givesAllAlone(source: SourceName): boolean {
  return SOURCE_ADAPTERS[source]().givesAllStations === 'only';
}

export function readLoadStations(
  values: OptionValues,
  sources: readonly SourceName[],
  errors: string[],
): readonly string[] {
  if (values.stations?.[0] === 'all') {
    const allStations = (source: SourceName) => hasAllStations(SOURCE_ADAPTERS[source]());
    for (const source of sources)
      if (!allStations(source))
        errors.push(
          `--stations all is not possible with ${source}: write codes, or use ${SOURCE_NAMES.filter(allStations)}`,
        );
    readStations(values, errors);
    return [ALL_STATIONS];
  }
  for (const source of sources)
    if (givesAllAlone(source))
      errors.push(`--source ${source} sends all stations together: write --stations all`);
  const stations = readStations(values, errors);
  if (stations === undefined)
    errors.push(`--stations is required: ${OPTIONS.stations.description}; or --stations-file FILE`);
  const unknown = sources.includes('demo') ? stations?.filter((code) => !/^X[A-Z]{3}$/.test(code)) : [];
  if (unknown !== undefined && unknown.length > 0)
    errors.push(`--stations must be codes from XAAA to XZZZ with --source demo; found ${unknown.join(', ')}`);
  return stations ?? [];
}
