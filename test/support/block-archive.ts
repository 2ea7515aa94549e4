import assert from 'node:assert/strict';
import type { ClickHouseClient } from '@clickhouse/client';
import { after, before } from 'mocha';
import { readStoredReports, type StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import { emptyArchive, NO_LIMIT } from './archive.ts';

type Opened = Awaited<ReturnType<typeof emptyArchive>>;

/** One archive for all tests of the block that calls this; there once they run. */
export function archiveOfBlock(): Omit<Opened, 'close'> {
  let archive: Opened | undefined;
  before(async function () {
    this.timeout(60_000);
    archive = await emptyArchive();
  });
  after(() => archive?.close());
  const opened = () => archive ?? assert.fail('an archive is there in tests alone');
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

/** Everything that an archive holds of a station, or of all. */
export function heldBy(client: ClickHouseClient, station = '*'): Promise<readonly StoredReport[]> {
  return readStoredReports(client, { station, from: 1_000_000_000, to: 4_000_000_000 }, NO_LIMIT);
}
