import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { readCoverage } from '../../../../clickhouse/coverage/coverage.ts';
import { deleteSource } from '../../../../clickhouse/observations/maintenance.ts';
import { insert, NO_LIMIT, put, report } from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { readAllReports, useArchive } from '../../../support/archive/use-archive.ts';

describe('deletion of a source', () => {
  const archive = useArchive();

  it('never has coverage say none beside a page of reports, nor complete without them', async () => {
    const { client } = archive;
    const source = 'demo';
    await list(client, {}, { source });
    await insert(client, put(report({ at: '2024-01-01T12:00:00Z', source })));
    await recordDone(client, '2024-01-01', '2024-01-02', { source });
    const range = { stations: ['XAAA'], from: Date.UTC(2024, 0, 1) / 1000, to: Date.UTC(2024, 0, 2) / 1000 };
    const seen: string[] = [];
    const look = async () => {
      const { status } = await readCoverage(client, range, NO_LIMIT);
      seen.push(`${status} ${(await readAllReports(client, 'XAAA')).length}`);
    };
    const watched: Archive = {
      ...client,
      async command(statement, signal) {
        await look();
        await client.command(statement, signal);
      },
    };
    await deleteSource(watched, source);
    await look();
    assert.deepEqual([...new Set(seen)], ['complete 1', 'partial 1', 'partial 0', 'none 0']);
  });
});
