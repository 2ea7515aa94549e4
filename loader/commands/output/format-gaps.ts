import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { daysBetween } from '../../../clickhouse/model/day.ts';
import type { Gap } from '../../checks/gap.ts';
import type { Gaps } from '../../checks/gaps.ts';
import { groupBy } from '../../group-by.ts';

/** Stations of one command at most. */
const STATIONS_PER_LINE = 50;

/**
 * A command of the shell for each gap, with the reason in a comment behind it. Stations that lack the same days of the
 * same source share a command. A last line counts the days that no source can fill.
 */
export function formatGaps({ gaps, unfillable }: Gaps): readonly string[] {
  const sameDays = groupBy(gaps, (gap) => {
    const ofOneStation = gap.kind === 'low count' ? gap.station : '';
    return `${gap.kind} ${gap.source} ${gap.firstDay} ${gap.endDay} ${ofOneStation}`;
  });
  return [
    ...[...sameDays.values()].flatMap(linesOf),
    ...(unfillable.days === 0 ? [] : [`# ${unfillableText(unfillable)}`]),
  ];
}

function linesOf(gaps: readonly Gap[]): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < gaps.length; at += STATIONS_PER_LINE) {
    const some = gaps.slice(at, at + STATIONS_PER_LINE);
    const [gap] = some;
    if (gap === undefined) continue;
    const stations = some.map(({ station }) => station);
    const ofStations = some.length > 1 ? ` at each of ${some.length} stations` : '';
    lines.push(
      line(gap, stations, gap.kind === 'not done' ? '' : ' --again', `${reasonOf(gap, some)}${ofStations}`),
    );
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

function reasonOf(gap: Gap, sameDays: readonly Gap[]): string {
  switch (gap.kind) {
    case 'not done':
      return `${plural(daysBetween(gap.firstDay, gap.endDay), 'day')} not done`;
    case 'lost': {
      const lost = sameDays.filter((each) => each.kind === 'lost');
      const stored = lost.reduce((sum, each) => sum + each.stored, 0);
      const recorded = lost.reduce((sum, each) => sum + each.recorded, 0);
      return `${stored} of the ${plural(recorded, 'report')} that the ledger records`;
    }
    case 'not recorded':
      return 'the ledger has no record of these days';
    case 'low count':
      return `${plural(gap.reports, 'report')}; the days around have ${gap.usual}`;
  }
}

function unfillableText({ days, stations }: Gaps['unfillable']): string {
  return `No source can fill ${days === 1 ? '1 more day that is' : `${days} more days that are`} not done, at ${plural(stations, 'station')}.`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
