import assert from 'node:assert/strict';
import type { Archive } from '../../../clickhouse/archive.ts';
import type { StoredReport } from '../../../clickhouse/observations/stored-reports.ts';
import { selectRows } from '../../../clickhouse/statements/select.ts';
import { emptyArchive, type TestArchive } from './archive.ts';

/** One archive for all tests of the `describe` block that calls this, or one for each. Its properties can be read in tests and hooks. */
export function useArchive(of: 'all' | 'each' = 'all'): Omit<TestArchive, 'close'> {
  let archive: TestArchive | undefined;
  const [open, close] = of === 'all' ? [before, after] : [beforeEach, afterEach];
  open(async () => {
    archive = await emptyArchive();
  });
  close(() => archive?.close());
  const opened = () => archive ?? assert.fail('The archive is open in tests and hooks only');
  return {
    get client() {
      return opened().client;
    },
    get url() {
      return opened().url;
    },
    get database() {
      return opened().database;
    },
  };
}

type HeldReport = StoredReport & { readonly decoder: number; readonly clean: boolean };

/** All reports of a station that the archive holds, or of all stations. */
export function readAllReports(client: Archive, station = '*'): Promise<readonly HeldReport[]> {
  const query = `SELECT toUnixTimestamp(time) AS observedAt, * EXCEPT (time)
    FROM (
      SELECT observedAt AS time, station, type, leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint, raw, source,
        version, decoder, clean
      FROM observations FINAL
      WHERE NOT retracted AND {station:String} IN (station, '*')
    )`;
  return selectRows(client, { query, params: { station } });
}
