import type { Archive } from '../../clickhouse/archive.ts';
import { firstProvisionalDay } from '../../clickhouse/model/day.ts';
import { readStatedRows } from '../../clickhouse/snapshot/count-rows.ts';
import {
  countMalformedRows,
  type DescriptionRow,
  readDescriptionsOfFile,
  readSliceTotals,
} from '../../clickhouse/snapshot/read-table-file.ts';
import { SNAPSHOT_TABLES, type SnapshotTable } from '../../clickhouse/snapshot/table-file.ts';
import { isoCountry } from '../sources/countries.ts';
import { toStationDescription } from '../sources/description-values.ts';
import { refuseUnreadable } from './import-report-file.ts';
import { type Manifest, type SnapshotFile, tablePath } from './manifest.ts';
import { SnapshotError } from './snapshot-error.ts';

export type Tables = Readonly<Record<SnapshotTable, Buffer>>;

/** A station-year has at most 527,040 minutes, and an export puts 100,000 reports into a file of several stations. */
const MAX_REPORTS = 1_000_000;
/** More than the ledger of ten loads of all stations, a row a month. */
const MAX_ROWS = 5_000_000;

const DAMAGED = 'the snapshot is damaged, copy or export it again';

/**
 * A file of 64 kB can hold 100 million equal rows, so that reading it takes minutes: its footer must state as many rows as
 * the manifest, and no more than an export writes.
 */
export async function checkRowCount(
  client: Archive,
  { path, rows, reports }: SnapshotFile,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<void> {
  if (rows > (reports === undefined ? MAX_ROWS : MAX_REPORTS))
    throw new SnapshotError(`${path} has ${rows} rows, more than any file of a snapshot: ${DAMAGED}`);
  const found = await refuseUnreadable(path, () => readStatedRows(client, bytes, signal));
  if (found !== rows)
    throw new SnapshotError(`${path} has ${found} rows, and the manifest says ${rows}: ${DAMAGED}`);
}

/**
 * Rejects tables with a row that no loader writes.
 *
 * @returns the calendar years in which the ledger makes days done
 */
export async function checkTables(
  client: Archive,
  { firstDay, endDay, stations }: Manifest,
  tables: Tables,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const scope = { stations: stations === 'all' ? [] : stations, firstDay, endDay };
  const provisionalFrom = firstProvisionalDay(new Date());
  let years: readonly number[] = [];
  for (const table of SNAPSHOT_TABLES)
    await refuseUnreadable(tablePath(table), async () => {
      const bytes = tables[table];
      let malformed: number;
      if (table === 'slices')
        ({ malformed, years } = await readSliceTotals(client, bytes, scope, provisionalFrom, signal));
      else malformed = await countMalformedRows(client, table, bytes, scope, signal);
      if (table === 'station_descriptions' && malformed === 0)
        for await (const rows of readDescriptionsOfFile(client, bytes, signal))
          malformed += rows.filter((row) => !isAsLoaded(row)).length;
      if (malformed > 0)
        throw new SnapshotError(
          `${tablePath(table)} has ${malformed} rows that no loader writes: ${DAMAGED}`,
        );
    });
  return years;
}

/** Whether a loader that gets these values from a source stores the same. */
function isAsLoaded({ station, source, country, ...row }: DescriptionRow): boolean {
  const { position, ...loaded } = toStationDescription(source, station, {
    ...row,
    country: isoCountry(country),
  });
  const values = {
    country: null,
    name: null,
    elevation_m: null,
    timezone: null,
    latitude: null,
    longitude: null,
  };
  const expected: Readonly<Record<string, unknown>> = { ...values, ...loaded, ...position };
  const found: Readonly<Record<string, unknown>> = { station, source, country, ...row };
  return Object.entries(found).every(([name, value]) => value === expected[name]);
}
