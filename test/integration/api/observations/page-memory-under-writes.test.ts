import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Position, REPORT_TYPES, type Report } from '../../../../clickhouse/model/report.ts';
import type { Selection } from '../../../../clickhouse/observations/selection.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { DAY_SECONDS, PageReaders, pageQuery, START } from '../../../support/api/page-readers.ts';
import { insert, put, report, retract, useArchive } from '../../../support/archive/archive.ts';
import { list } from '../../../support/archive/ledger.ts';
import { parseRecords, readCoverageNow, readOnePage } from '../../../support/archive/records.ts';
import { repetitions } from '../../../support/repetitions.ts';

type Change = 'insert' | 'reclassify' | 'delete';
type Write =
  | { readonly kind: Change; readonly minutes: readonly number[]; readonly station: number }
  | { readonly kind: 'merge' };

describe('pages in memory while loaders write', () => {
  const archive = useArchive();
  const readers = new PageReaders(archive);
  const STATIONS = ['XAAA', 'XAAB', 'XAAC'];
  before(() => list(archive.client, { station: 'XAAA' }));

  const reportAt = (minute: number, station: number): Report =>
    report({ at: new Date((START + minute * 60) * 1000).toISOString(), station: STATIONS[station] ?? '' });

  const filters = fc.record({
    stations: fc.shuffledSubarray(STATIONS, { minLength: 1 }),
    from: fc.constantFrom(START, START + 10 * 60),
    to: fc.constant(START + 2 * DAY_SECONDS),
    types: fc.constantFrom(REPORT_TYPES, ['METAR' as const], ['SPECI' as const]),
    raw: fc.constant(true),
    decoded: fc.boolean(),
    isDescending: fc.boolean(),
  });
  const walk = fc.record({ filters, limit: fc.integer({ min: 1, max: 9 }) });
  const minutes = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 15 });
  const station = fc.nat(2);
  const change = (kind: Change) => fc.record({ kind: fc.constant(kind), minutes, station });
  const step = fc.oneof(
    { weight: 3, arbitrary: change('insert') },
    { weight: 1, arbitrary: change('reclassify') },
    { weight: 1, arbitrary: change('delete') },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('read' as const), walk: fc.nat(2) }) },
  );

  it('returns what the archive has, for random walks with random page sizes', async () => {
    // More than one read of a walk holds, so that the next one is read ahead.
    const later = Array.from({ length: 2400 * STATIONS.length }, (_, n) =>
      put(reportAt(60 + Math.floor(n / STATIONS.length), n % STATIONS.length)),
    );
    await insert(archive.client, ...later);
    let [hits, ahead] = [0, 0];
    let revision = 1;
    const write = async (action: Write) => {
      if (action.kind === 'merge') {
        for (const table of REPORT_TABLES)
          await archive.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
        return;
      }
      const reports = action.minutes.map((minute) => reportAt(minute, action.station));
      revision += 1;
      if (action.kind === 'insert') await insert(archive.client, ...reports.map((one) => put(one, revision)));
      else if (action.kind === 'reclassify')
        await insert(
          archive.client,
          ...reports.flatMap((one) => [
            retract(one, revision),
            put({ ...one, type: one.type === 'METAR' ? 'SPECI' : 'METAR' }, revision),
          ]),
        );
      else
        for (const table of REPORT_TABLES)
          await archive.client.command({
            query: `ALTER TABLE ${table} DELETE WHERE station = {station:String} AND observedAt < {to:UInt32}`,
            params: { station: STATIONS[action.station], to: START + (action.minutes[0] ?? 0) * 60 },
            settings: { mutations_sync: '2' },
          });
    };
    const property = fc.asyncProperty(
      fc.array(walk, { minLength: 3, maxLength: 3 }),
      fc.array(step, { minLength: 20, maxLength: 30 }),
      async (walks, steps) => {
        readers.clock += 120_000;
        const { read, pages } = readers.start();
        const positions: (Position | undefined)[] = [];
        for (const action of steps) {
          if (action.kind !== 'read') {
            await write(action);
            continue;
          }
          const { filters: of, limit } = walks[action.walk] as { filters: Selection; limit: number };
          const wanted = pageQuery(of, limit, positions[action.walk]);
          // From now on nothing that was written before may be missing.
          readers.clock += 1000;
          const { page, coverage } = await read(wanted);
          const expected = await readOnePage(archive.client, wanted);
          assert.deepEqual(parseRecords({ bytes: page.text.text }), parseRecords(expected.records));
          assert.deepEqual(page.next, expected.next);
          assert.deepEqual(
            JSON.parse(`{${coverage.text}}`).coverage,
            await readCoverageNow(archive.client, of),
          );
          positions[action.walk] = page.next;
        }
        await readers.finishReadsAhead();
        hits += pages.hits;
        ahead += pages.readsAhead;
      },
    );
    const numRuns = repetitions({ usual: 2, long: 100 });
    await fc.assert(property, { numRuns });
    assert.ok(hits >= 2 * numRuns, `${hits} pages were in memory`);
    assert.ok(ahead >= numRuns / 2, `${ahead} reads before they were needed`);
  }).timeout(600_000);
});
