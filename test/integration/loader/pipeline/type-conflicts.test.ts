import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { readStoredReports } from '../../../../clickhouse/observations/stored-reports.ts';
import { finishWrite } from '../../../../loader/pipeline/load-slice.ts';
import { MinuteHistogram } from '../../../../loader/pipeline/report-type.ts';
import { reconcileAndWrite } from '../../../../loader/pipeline/write.ts';
import { insert, NO_LIMIT, put, report } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

describe('two loaders at the same time', () => {
  const archive = useArchive();
  beforeEach(() => archive.client.command({ query: 'TRUNCATE TABLE observations' }));

  const ours = report({ at: '2024-03-01T12:10:00Z', type: 'SPECI', source: 'iem' });
  const theirs = { ...ours, type: 'METAR', source: 'ncei', raw: `METAR ${ours.raw}` } as const;

  /** A client that inserts the row of the other loader between this loader's read and its insert. */
  function withInsertBefore(client: Archive): Archive {
    let first = true;
    return {
      ...client,
      async insert(rows, signal) {
        if (first && rows.table === 'observations') {
          first = false;
          await insert(client, put(theirs));
        }
        await client.insert(rows, signal);
      },
    };
  }

  for (const scope of ['few stations', 'all stations'] as const)
    it(`leave no report under two types (${scope})`, async () => {
      const context = {
        client: withInsertBefore(archive.client),
        source: 'iem',
        minutes: new MinuteHistogram(),
        listedStations: new Set<string>(),
        signal: NO_LIMIT,
      } as const;
      const { station, observedAt, fingerprint, raw } = ours;
      // Eleven reports at minute 50, so the type at minute 10 is inferred as SPECI.
      const routine = Array.from({ length: 11 }, (_, hour) =>
        report({ at: `2024-03-01T${String(hour).padStart(2, '0')}:50:00Z` }),
      );
      const reports = [...routine, { station, observedAt, fingerprint, raw }].map((each) => ({
        ...each,
        nil: false,
        sentType: undefined,
      }));
      await finishWrite(context, await reconcileAndWrite(context, { reports, skipped: {} }, scope));
      const window = { station: 'XAAA', from: observedAt, to: observedAt + 60 };
      const stored = await readStoredReports(archive.client, window);
      assert.deepEqual(
        stored.map((each) => [each.type, each.source]),
        [['METAR', 'ncei']],
      );
    });
});
