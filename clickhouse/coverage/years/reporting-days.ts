import type { Archive } from '../../archive.ts';
import { type DayRun, type DaySet, dayNumber, unionOf } from '../../model/day.ts';
import { streamRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

const REPORTING_DAYS = readStatement('coverage/reporting_days');

type Row = {
  readonly station: string;
  readonly year: number;
  /** Days of the year, from 1. */
  readonly runs: readonly (readonly [first: number, last: number])[];
};

/**
 * The days of these years on which the stations have reports; NIL reports do not count. This uses the coverage view and
 * reads no report. A station without reports has no entry.
 *
 * @param stations empty for all
 */
export async function readReportingDays(
  client: Archive,
  stations: readonly string[],
  years: { readonly firstYear: number; readonly lastYear: number },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DaySet>> {
  const found = new Map<string, DayRun[]>();
  for await (const rows of streamRows<Row>(
    client,
    { query: REPORTING_DAYS, params: { stations, ...years } },
    signal,
  ))
    for (const { station, year, runs } of rows) {
      const beforeYear = dayNumber(Date.UTC(year, 0) / 1000) - 1;
      const days = runs.map(([first, last]) => ({ first: beforeYear + first, end: beforeYear + last + 1 }));
      found.set(station, [...(found.get(station) ?? []), ...days]);
    }
  return new Map([...found].map(([station, days]) => [station, unionOf(days)]));
}
