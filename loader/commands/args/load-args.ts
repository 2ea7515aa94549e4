import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { FIRST_DAY } from '../../../clickhouse/model/day.ts';
import { ORDERS } from '../../plan/schedule.ts';
import { SOURCE_ADAPTERS, SOURCE_NAMES, type SourceName } from '../../sources/registry.ts';
import type { LoadCommand } from './command.ts';
import { OPTIONS, type OptionValues } from './options.ts';
import { readDays, readStations } from './scope.ts';
import { readStationFile } from './station-file.ts';

export function readLoad(values: OptionValues, mistakes: string[]): LoadCommand | undefined {
  const sources = readSources(values, mistakes) ?? [];
  const stations = readLoadStations(values, sources, mistakes);
  const { firstDay, endDay } = readDays(values, mistakes);
  if (firstDay !== undefined && firstDay < FIRST_DAY)
    mistakes.push(`--from must be ${FIRST_DAY} or later, the first day of the archive; found ${firstDay}`);
  const priorityFile = values['priority-file'];
  const priority = priorityFile === undefined ? [] : readStationFile('priority-file', priorityFile, mistakes);
  const order = ORDERS.find((known) => known === values.order);
  if (firstDay === undefined || endDay === undefined) return undefined;
  return {
    kind: 'load',
    sources,
    stations,
    firstDay,
    endDay,
    intervalSeconds: readInterval(values),
    preference: { order, priority },
    again: values.again !== undefined,
    dryRun: values['dry-run'] !== undefined,
  };
}

/** `undefined` where `--source` is not given. */
export function readSources({ source }: OptionValues, mistakes: string[]): readonly SourceName[] | undefined {
  if (source !== undefined && source.length > 1 && source.includes('demo'))
    mistakes.push('--source demo has stations of its own: write it alone');
  return source as readonly SourceName[] | undefined;
}

export function readInterval({ interval }: OptionValues): number | undefined {
  return interval === undefined ? undefined : Number(interval);
}

function readLoadStations(
  values: OptionValues,
  sources: readonly SourceName[],
  mistakes: string[],
): readonly string[] {
  if (values.stations?.[0] === 'all') {
    const allStations = (source: SourceName) => SOURCE_ADAPTERS[source]().givesAllStations;
    for (const source of sources)
      if (!allStations(source))
        mistakes.push(
          `--stations all is not possible with ${source}: write codes, or use ${SOURCE_NAMES.filter(allStations)}`,
        );
    readStations(values, mistakes);
    return [ALL_STATIONS];
  }
  const stations = readStations(values, mistakes);
  if (stations === undefined)
    mistakes.push(`--stations is required: ${OPTIONS.stations.description}; or --stations-file FILE`);
  const unknown = sources.includes('demo') ? stations?.filter((code) => !/^X[A-Z]{3}$/.test(code)) : [];
  if (unknown !== undefined && unknown.length > 0)
    mistakes.push(
      `--stations must be codes from XAAA to XZZZ with --source demo; found ${unknown.join(', ')}`,
    );
  return stations ?? [];
}
