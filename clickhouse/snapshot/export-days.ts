import type { Archive } from '../archive.ts';
import { readDaysUntilNow } from '../days/days-until-now.ts';
import { recordRows } from '../days/read-records.ts';
import { DAILY } from '../days/records.ts';
import { extentOf, openGrid } from '../grid-rows.ts';
import type { StationRange } from '../model/time-window.ts';
import { readClocks } from '../zones/clocks.ts';

/**
 * The days of stations with all fields (D72), as the bytes of a Parquet file: sorted by station.
 *
 * @param range days of standard time, as the days of UTC with the same dates
 */
export async function openDayFile(archive: Archive, range: StationRange, signal: AbortSignal) {
  const { clocks } = await readClocks(archive, {
    ...range,
    timeZone: { kind: 'station', isStandard: true },
  });
  const rows = recordRows({
    ...(await readDaysUntilNow(archive, range)),
    archive,
    table: DAILY,
    clocks,
    signal,
    fields: [...DAILY.fields.keys()],
    limit: Number.POSITIVE_INFINITY,
  });
  return openGrid(rows, 'parquet', await extentOf(rows, true));
}
