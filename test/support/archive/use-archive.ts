import assert from 'node:assert/strict';
import { after, before } from 'mocha';
import type { Archive } from '../../../clickhouse/archive.ts';
import { readStoredReports, type StoredReport } from '../../../clickhouse/observations/stored-reports.ts';
import { emptyArchive, NO_LIMIT, type TestArchive } from './archive.ts';

/** One archive for all tests of the `describe` block that calls this. Its properties can be read in tests and hooks. */
export function useArchive(): Omit<TestArchive, 'close'> {
  let archive: TestArchive | undefined;
  before(async () => {
    archive = await emptyArchive();
  });
  after(() => archive?.close());
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

/** All reports of a station that the archive holds, or of all stations. */
export function readAllReports(client: Archive, station = '*'): Promise<readonly StoredReport[]> {
  return readStoredReports(client, { station, from: 1_000_000_000, to: 4_000_000_000 }, NO_LIMIT);
}
