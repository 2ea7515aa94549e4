import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { listStations } from '../../../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { statusOf } from '../../../../loader/commands/status.ts';
import { insert, NO_LIMIT, put, report, retract } from '../../../support/archive.ts';
import { useArchive } from '../../../support/use-archive.ts';

const NOW = new Date('2024-03-01T12:00:00Z');
const slice = (source: 'iem' | 'ogimet', station: string, firstDay: string, endDay: string) => ({
  source,
  station,
  firstDay: firstDay as Day,
  doneDay: endDay as Day,
  endDay: endDay as Day,
  reports: 0,
  inserted: 0,
  skipped: {},
});

describe('the status of an archive', function () {
  this.timeout(60_000);
  const archive = useArchive();
  before(async () => {
    await listStations(
      archive.client,
      [
        { source: 'iem', station: 'XAAA', firstDay: '2022-12-31' as Day },
        { source: 'ogimet', station: 'XAAA', firstDay: '2022-12-31' as Day },
        { source: 'iem', station: 'XAAB', firstDay: '2023-01-01' as Day, lastDay: '2023-01-10' as Day },
      ],
      NO_LIMIT,
    );
    const values = [
      slice('iem', 'XAAA', '2023-01-01', '2023-12-01'),
      slice('ogimet', 'XAAA', '2023-12-05', '2024-01-01'),
      slice('iem', '*', '2023-01-02', '2023-01-03'),
    ];
    await archive.client.insert({ table: 'slices', values, format: 'JSONEachRow' });
    const kept = report({ at: '2023-05-05T00:00:00Z' });
    const special = report({ at: '2023-05-05T01:07:00Z' });
    await insert(
      archive.client,
      put(kept),
      put({ ...kept, source: 'ogimet' }),
      put(report({ at: '2023-05-05T01:00:00Z' })),
      put(special),
      retract(special, 2 ** 20),
      put({ ...special, type: 'SPECI' }, 2 ** 20),
      put(report({ at: '2023-05-05T02:00:00Z', decoded: { nil: true, cavok: false } })),
      put(report({ at: '2023-02-02T00:00:00Z', station: 'XAAC' })),
    );
  });

  it('counts what stands, each report once under the source of its text, and no NIL', async () => {
    const [line] = (await statusOf(archive.client, ['XAAA'], NOW, NO_LIMIT)).filter((each) =>
      / 2023:/.test(each),
    );
    assert.match(line ?? '', /3 reports \(iem 2, ogimet 1\)/);
    const all = (await statusOf(archive.client, undefined, NOW, NO_LIMIT)).find((each) =>
      each.startsWith('2023'),
    );
    assert.match(all ?? '', /4 reports \(iem 3, ogimet 1\)/);
  });

  it('takes a day for done that any source has brought, and for due what is old enough and in the period of record (D13)', async () => {
    assert.deepEqual(await statusOf(archive.client, ['XAAA', 'XAAB', 'XAAD'], NOW, NO_LIMIT), [
      'XAAA 2022: nothing of 1 days',
      'XAAA 2023: 361 of 365 days done, missing 2023-12-01 to 2023-12-05, 3 reports (iem 2, ogimet 1)',
      'XAAA 2024: nothing of 57 days',
      'XAAB 2023: 1 of 10 days done, missing 2023-01-01 to 2023-01-02, 2023-01-03 to 2023-01-11, no reports',
      'XAAD: nothing, and no source lists it, so that no day of it counts as done',
    ]);
  });

  it('tells of all stations one by one, also of those that only files have brought', async () => {
    const lines = await statusOf(archive.client, [], NOW, NO_LIMIT);
    assert.deepEqual([...new Set(lines.map((line) => line.slice(0, 4)))], ['XAAA', 'XAAB', 'XAAC']);
    assert.match(lines.at(-1) ?? '', /^XAAC 2023: no source lists it, 1 reports \(iem\)/);
  });
});
