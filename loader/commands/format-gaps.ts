import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { daysBetween } from '../../clickhouse/model/day.ts';
import type { Gap } from '../checks/gaps.ts';
import { groupBy } from '../group-by.ts';

/** Stations on one line at most. */
const STATIONS_A_LINE = 50;

/**
 * What to run to close each gap, and behind `#` why: every line is a command of the shell. Stations that lack the same
 * days of the same source share a line.
 */
export function formatGaps(gaps: readonly Gap[]): readonly string[] {
  const notDone = gaps.filter(({ kind }) => kind === 'not done');
  const shared = groupBy(notDone, ({ source, firstDay, endDay }) => `${source} ${firstDay} ${endDay}`);
  return [
    ...[...shared.values()].flatMap(sharedLines),
    ...gaps.flatMap((gap) =>
      gap.kind === 'not done' ? [] : [line(gap, [gap.station], ' --again', doubt(gap))],
    ),
  ];
}

function sharedLines(gaps: readonly Gap[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < gaps.length; at += STATIONS_A_LINE) {
    const some = gaps.slice(at, at + STATIONS_A_LINE);
    const [gap] = some;
    if (gap === undefined) continue;
    const days = daysBetween(gap.firstDay, gap.endDay);
    const whose = some.length > 1 ? ` of each of ${some.length} stations` : '';
    const why = `${days} ${days === 1 ? 'day' : 'days'}${whose} not done`;
    lines.push(
      line(
        gap,
        some.map(({ station }) => station),
        '',
        why,
      ),
    );
  }
  return lines;
}

function line(
  { source, firstDay, endDay }: Gap,
  stations: readonly string[],
  more: string,
  why: string,
): string {
  const named = stations.map((station) => (station === ALL_STATIONS ? 'all' : station)).join(',');
  return `npm run load -- --source ${source} --stations ${named} --from ${firstDay} --to ${endDay}${more}  # ${why}`;
}

function doubt(gap: Exclude<Gap, { kind: 'not done' }>): string {
  return gap.kind === 'short'
    ? `${gap.holds} reports, of ${gap.had} that the source had`
    : `${gap.reports} reports, where the days around have ${gap.usual}`;
}
