import assert from 'node:assert/strict';
import fc from 'fast-check';
import { coverageChangesReader } from '../../../../clickhouse/coverage/changes.ts';
import { recordSlice } from '../../../../clickhouse/coverage/ledger.ts';
import { coverageStateReader } from '../../../../clickhouse/coverage/state.ts';
import { cacheCoverageState } from '../../../../clickhouse/coverage/state-cache.ts';
import { listStations } from '../../../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { emptyArchive } from '../../../support/archive.ts';

/** One each: many questions are under way at once. */
const noLimit = () => new AbortController().signal;
const STATIONS = ['*', 'XAAA', 'XAAB', 'XAAC', 'XAAD'];

describe('what is kept of stations while loaders are at work', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  before(async () => {
    archive = await emptyArchive();
  });
  after(() => archive.close());

  const some = fc.subarray(STATIONS, { minLength: 1 });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('told'), of: some, at: fc.nat(300) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('listed'), of: some, at: fc.nat(300) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('merged'), of: some, at: fc.nat(300) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('taken out'), of: some, at: fc.nat(300) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('asked'), of: some, at: fc.nat(300) }) },
  );

  async function take({ kind, of, at }: { kind: string; of: readonly string[]; at: number }): Promise<void> {
    const { client } = archive;
    if (kind === 'told') await Promise.all(of.map((station) => tell(station, at)));
    if (kind === 'listed') {
      const firstDay = dayAt(at);
      await listStations(
        client,
        of.map((station) => ({ source: 'iem', station, firstDay })),
        noLimit(),
      );
    }
    if (kind === 'merged')
      for (const table of ['coverage', 'stations'])
        await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    if (kind === 'taken out')
      await client.command({
        query: 'ALTER TABLE coverage DELETE WHERE station IN {of:Array(String)}',
        query_params: { of },
        clickhouse_settings: { mutations_sync: '2' },
      });
  }

  const dayAt = (at: number) => new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10) as Day;
  const tell = (station: string, at: number) =>
    recordSlice(
      archive.client,
      {
        source: 'iem',
        station,
        firstDay: dayAt(at),
        doneDay: dayAt(at + 2),
        endDay: dayAt(at + 2),
        reports: 1,
        inserted: 1,
        skipped: {},
      },
      noLimit(),
    );

  it('is what is there, a second later at most, whatever was told, merged or taken out meanwhile', async () => {
    const read = coverageStateReader(archive.client);
    let clock = 0;
    const kept = cacheCoverageState(read, coverageChangesReader(archive.client), () => clock);
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const underWay: Promise<unknown>[] = [];
      for (const each of steps)
        if (each.kind === 'asked') {
          clock += 700;
          underWay.push(kept(each.of, noLimit()));
        } else {
          // Some are waited for, others go on beside what follows.
          const taken = take(each);
          underWay.push(taken);
          if (each.at % 3 === 0) await taken;
        }
      await Promise.all(underWay);
      clock += 1000;
      const sorted = async (known: ReturnType<typeof read>) =>
        [...(await known)].map(([station, { held, listings }]) => ({
          station,
          held: held.toSorted((a, b) => a.year - b.year),
          listings,
        }));
      assert.deepEqual(await sorted(kept(STATIONS, noLimit())), await sorted(read(STATIONS, noLimit())));
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
