import assert from 'node:assert/strict';
import type { ClickHouseClient } from '@clickhouse/client';
import { readStoredReports } from '../../../../clickhouse/observations/stored-reports.ts';
import { MinuteHistogram } from '../../../../loader/pipeline/report-type.ts';
import { write } from '../../../../loader/pipeline/write.ts';
import { emptyArchive, insert, NO_LIMIT, put, report } from '../../../support/archive.ts';

describe('two loaders at once', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  before(async () => {
    archive = await emptyArchive();
  });
  beforeEach(() => archive.client.command({ query: 'TRUNCATE TABLE observations' }));
  after(() => archive.close());

  const ours = report({ at: '2024-03-01T12:10:00Z', type: 'SPECI', source: 'iem' });
  const theirs = { ...ours, type: 'METAR', source: 'ncei', raw: `METAR ${ours.raw}` } as const;

  /** Lets the other loader write its row between our look at the archive and our own insert. */
  function overtaken(client: ClickHouseClient): ClickHouseClient {
    let first = true;
    const overtake = (name: 'insert' | 'exec') => async (params: never) => {
      if (first && JSON.stringify({ ...(params as object), values: undefined }).includes('observations')) {
        first = false;
        await insert(client, put(theirs));
      }
      return client[name](params);
    };
    return new Proxy(client, {
      get: (target, name) =>
        name === 'insert' || name === 'exec' ? overtake(name) : Reflect.get(target, name),
    });
  }

  for (const scope of ['stations', 'world'] as const)
    it(`leave no report under two types (${scope})`, async () => {
      const keeper = {
        client: overtaken(archive.client),
        source: 'iem',
        minutes: new MinuteHistogram(),
        listed: new Set<string>(),
        signal: NO_LIMIT,
      } as const;
      const { station, observedAt, fingerprint, raw } = ours;
      // Typed SPECI by the minute of the other eleven.
      const routine = Array.from({ length: 11 }, (_, hour) =>
        report({ at: `2024-03-01T${String(hour).padStart(2, '0')}:50:00Z` }),
      );
      const fetched = [...routine, { station, observedAt, fingerprint, raw }].map((each) => ({
        ...each,
        nil: false,
        sentType: undefined,
      }));
      await write(keeper, fetched, scope);
      const stretch = { station: 'XAAA', from: observedAt, to: observedAt + 60 };
      const held = await readStoredReports(archive.client, stretch, NO_LIMIT);
      assert.deepEqual(
        held.map((each) => [each.type, each.source]),
        [['METAR', 'ncei']],
      );
    });
});
