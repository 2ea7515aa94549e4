import type { CoverageDetails, YearCoverage } from '../../clickhouse/coverage/coverage-by-year.ts';
import { type DaySet, dayRangesOf } from '../../clickhouse/model/day.ts';
import { formatTime } from '../http/response/envelope.ts';

/** The element of `data` for one station, as JSON (D34). `JSON.stringify` omits unknown values. */
export function formatCoverage({
  gaps,
  notDue,
  silent,
  years,
  periodOfRecord,
  ...station
}: CoverageDetails): string {
  return JSON.stringify({
    ...station,
    periodOfRecord,
    years: years.map(formatYear),
    gaps: formatDays(gaps),
    notDue: formatDays(notDue),
    silent: silent && formatDays(silent),
  });
}

function formatDays(days: DaySet) {
  return dayRangesOf(days).map(({ firstDay, endDay }) => ({
    from: `${firstDay}T00:00:00Z`,
    to: `${endDay}T00:00:00Z`,
  }));
}

function formatYear({
  year,
  status,
  daysDue,
  daysDone,
  reports,
  firstReport,
  lastReport,
  sources,
}: YearCoverage) {
  return {
    year,
    status,
    daysDue,
    daysDone,
    reports,
    firstReport: formatTime(firstReport),
    lastReport: formatTime(lastReport),
    sources,
  };
}
