import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { daysBetween } from '../../../clickhouse/model/day.ts';
import type { Gap, Gaps } from '../../checks/gaps.ts';
import { groupBy } from '../../group-by.ts';

/** Stations of one command at most. */
const STATIONS_PER_LINE = 50;

/**
 * A command of the shell for each gap, with the reason in a comment behind it. Stations that lack the same days of the
 * same source share a command. A last line counts the days that no source can fill.
 */
export function formatGaps({ gaps, unfillable }: Gaps): readonly string[] {
  const notDone = gaps.filter(({ kind }) => kind === 'not done');
  const sameDays = groupBy(notDone, ({ source, firstDay, endDay }) => `${source} ${firstDay} ${endDay}`);
  return [
    ...[...sameDays.values()].flatMap(notDoneLines),
    ...gaps.flatMap((gap) =>
      gap.kind === 'not done' ? [] : [line(gap, [gap.station], ' --again', reasonToLoadAgain(gap))],
    ),
    ...(unfillable.days === 0 ? [] : [`# ${unfillableText(unfillable)}`]),
  ];
}

function notDoneLines(gaps: readonly Gap[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < gaps.length; at += STATIONS_PER_LINE) {
    const some = gaps.slice(at, at + STATIONS_PER_LINE);
    const [gap] = some;
    if (gap === undefined) continue;
    const days = plural(daysBetween(gap.firstDay, gap.endDay), 'day');
    const ofStations = some.length > 1 ? ` at each of ${some.length} stations` : '';
    const stations = some.map(({ station }) => station);
    lines.push(line(gap, stations, '', `${days} not done${ofStations}`));
  }
  return lines;
}

function line(
  { source, firstDay, endDay }: Gap,
  stations: readonly string[],
  options: string,
  reason: string,
): string {
  const names = stations.map((station) => (station === ALL_STATIONS ? 'all' : station)).join(',');
  return `npm run load -- --source ${source} --stations ${names} --from ${firstDay} --to ${endDay}${options}  # ${reason}`;
}

function reasonToLoadAgain(gap: Exclude<Gap, { kind: 'not done' }>): string {
  return gap.kind === 'incomplete'
    ? `${gap.stored} of the ${plural(gap.sent, 'report')} that the source sent`
    : `${plural(gap.reports, 'report')}; the days around have ${gap.usual}`;
}

function unfillableText({ days, stations }: Gaps['unfillable']): string {
  return `No source can fill ${days === 1 ? '1 more day that is' : `${days} more days that are`} not done, at ${plural(stations, 'station')}.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
