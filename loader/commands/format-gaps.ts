import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { daysBetween } from '../../clickhouse/model/day.ts';
import type { Gap } from '../checks/gap.ts';
import { type GapCommand, gapCommands } from '../checks/gap-commands.ts';
import type { Gaps } from '../checks/gaps.ts';
import { plural } from '../wording.ts';

const NOTHING_MISSING = {
  asked: '# No day is missing of those that loads have asked for; with --all, of all that a source lists.',
  all: '# No day is missing of those that a source lists for the stations of the archive.',
} as const;

/**
 * A shell command for each load, followed by the reason in a comment. A last line counts the days that no source can
 * fill. If nothing is missing, a comment says so.
 */
export function formatGaps({ gaps, unfillable }: Gaps, days: 'all' | 'asked' = 'all'): readonly string[] {
  if (gaps.length === 0 && unfillable.days === 0) return [NOTHING_MISSING[days]];
  return [
    ...gapCommands(gaps).map(line),
    ...(unfillable.days === 0 ? [] : [`# ${unfillableText(unfillable)}`]),
  ];
}

function line(command: GapCommand): string {
  const { source, firstDay, endDay, again, stations } = command;
  const names = stations.map((station) => (station === ALL_STATIONS ? 'all' : station)).join(',');
  const option = again ? ' --again' : '';
  return `npm run load -- --source ${source} --stations ${names} --from ${firstDay} --to ${endDay}${option}  # ${reasonOf(command)}${ofStations(command)}`;
}

function ofStations({ stations, gaps }: GapCommand): string {
  const named = new Set(gaps.map(({ station }) => station)).size;
  if (stations.length > 1) return ` at each of ${stations.length} stations`;
  return named > 1 ? ` at ${named} stations` : '';
}

function reasonOf({ gaps, firstDay, endDay }: GapCommand): string {
  const [gap] = gaps as readonly [Gap];
  switch (gap.kind) {
    case 'not done':
      return `${plural(daysBetween(firstDay, endDay), 'day')} not done`;
    case 'lost': {
      const lost = gaps.filter((each) => each.kind === 'lost');
      const stored = lost.reduce((sum, each) => sum + each.stored, 0);
      const recorded = lost.reduce((sum, each) => sum + each.recorded, 0);
      return `${stored} of the ${plural(recorded, 'report')} that the ledger records`;
    }
    case 'not recorded':
      return 'the ledger has no record of these days';
    case 'silent':
      return `no report on ${plural(daysBetween(firstDay, endDay), 'day')} between others: runs on two days have to find them empty`;
    case 'low count':
      return `${plural(gap.reports, 'report')}; the days around have ${gap.usual}`;
  }
}

function unfillableText({ days, stations }: Gaps['unfillable']): string {
  return `No source can fill ${days === 1 ? '1 more day that is' : `${days} more days that are`} not done, at ${plural(stations, 'station')}.`;
}
