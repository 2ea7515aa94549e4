import type { Archive } from '../../archive.ts';
import { groupBy, inGroups } from '../../group-by.ts';
import {
  type Day,
  type DaySet,
  dayRangesOf,
  daySetOf,
  numbersInYear,
  subtract,
  unionOf,
  yearsOf,
} from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { readServerTime } from '../../server-time.ts';
import { selectRows } from '../../statements/select.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';

const EARLY_CLAIMS = readStatement('ledger/early_claims');
const WITHDRAW_DAYS = fillSql(readStatement('ledger/withdraw_days'), {
  ofRows: 'source = {source:String} AND station IN {stations:Array(String)}',
});
const WITHDRAW_CLAIMS = fillSql(readStatement('ledger/withdraw_claims'), {
  // As the column of this name, with the time of the server as a parameter.
  provenDay: `if(
    recordedAt > toDateTime({now:UInt32}, 'UTC') + INTERVAL 5 MINUTE,
    firstDay,
    greatest(firstDay, least(doneDay, toDate(recordedAt - INTERVAL 72 HOUR))))`,
});

/** Days that the ledger calls done and that had not ended 72 hours before, by the clock of the server (D70). */
export type EarlyDays = { readonly source: Source; readonly station: string; readonly days: DaySet };

type Claims = Pick<EarlyDays, 'source' | 'station'> & {
  readonly claims: readonly (readonly [firstDay: Day, provenDay: Day, doneDay: Day])[];
};

/** By source and station (`*`: of all stations); days that another row of the ledger makes done are left out. Usually none. */
export async function readEarlyDays(archive: Archive): Promise<readonly EarlyDays[]> {
  const rows = await selectRows<Claims>(archive, { query: EARLY_CLAIMS });
  return rows.flatMap(({ source, station, claims }) => {
    const proven = claims.flatMap(([firstDay, endDay]) => daySetOf({ firstDay, endDay }));
    const early = claims.flatMap(([, firstDay, endDay]) => daySetOf({ firstDay, endDay }));
    const days = subtract(unionOf(early), unionOf(proven));
    return days.length === 0 ? [] : [{ source, station, days }];
  });
}

const STATIONS_PER_STATEMENT = 1000;

/** Removes the days from coverage, then from the ledger; after an interruption they are open, or named again. */
export async function withdrawEarlyDays(archive: Archive, early: readonly EarlyDays[]): Promise<void> {
  const ofYears = early.flatMap(({ source, station, days }) =>
    [...new Set(dayRangesOf(days).flatMap(yearsOf))].map((year) => {
      return { source, station, year, days: numbersInYear(days, year) };
    }),
  );
  // Stations that were loaded together lack the same days.
  const same = groupBy(ofYears, ({ source, year, days }) => `${source} ${year} ${days}`);
  for (const group of same.values())
    for (const some of inGroups(group, STATIONS_PER_STATEMENT)) {
      const { source, year, days } = some[0] as (typeof ofYears)[number];
      const params = { source, year, days, stations: some.map(({ station }) => station) };
      await archive.command({ query: WITHDRAW_DAYS, params });
    }
  if (early.length === 0) return;
  const params = { now: Math.floor(await readServerTime(archive)) };
  await archive.command({ query: WITHDRAW_CLAIMS, params });
}
