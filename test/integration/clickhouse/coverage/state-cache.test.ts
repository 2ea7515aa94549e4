import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canceledBy } from '../../../../clickhouse/archive.ts';
import { recordSlices } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { readCoverageStates } from '../../../../clickhouse/coverage/state.ts';
import { CoverageStateCache } from '../../../../clickhouse/coverage/state-cache.ts';
import { recordListings } from '../../../../clickhouse/coverage/station-listings.ts';
import { addDays } from '../../../../clickhouse/model/day.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { day, sliceRecord } from '../../../support/archive/ledger.ts';
import { repetitions } from '../../../support/repetitions.ts';

/** A signal for each request: many requests run at the same time, and each adds a listener. */
const noLimit = () => new AbortController().signal;
const STATIONS = ['*', 'XAAA', 'XAAB', 'XAAC', 'XAAD'];

describe('coverage state cache over an archive', () => {
  const archive = useArchive();

  const stations = fc.subarray(STATIONS, { minLength: 1 });
  const at = fc.nat(300);
  const kindOf = <K extends string>(kind: K) => fc.record({ kind: fc.constant(kind), stations, at });
  const step = fc.oneof(
    { weight: 6, arbitrary: kindOf('record') },
    { weight: 2, arbitrary: kindOf('list') },
    { weight: 2, arbitrary: kindOf('merge') },
    { weight: 1, arbitrary: kindOf('delete') },
    { weight: 6, arbitrary: kindOf('read') },
  );

  async function write(
    kind: 'record' | 'list' | 'merge' | 'delete',
    of: readonly string[],
    at: number,
  ): Promise<void> {
    const { client } = archive;
    const [firstDay, endDay] = [addDays(day('2023-01-01'), at), addDays(day('2023-01-01'), at + 2)];
    switch (kind) {
      case 'record':
        await Promise.all(
          of.map((station) => recordSlices(client, [sliceRecord(firstDay, endDay, { station })])),
        );
        return;
      case 'list':
        return recordListings(
          client,
          of.map((station) => ({ source: 'iem', station, firstDay })),
        );
      case 'merge':
        for (const table of ['coverage', 'stations'])
          await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
        return;
      case 'delete':
        await client.command({
          query: 'ALTER TABLE coverage DELETE WHERE station IN {of:Array(String)}',
          params: { of },
          settings: { mutations_sync: '2' },
        });
    }
  }

  it('equals the archive of a second ago at most, while rows are inserted, merged and deleted', async function () {
    this.timeout(600_000);
    const read = (stations: readonly string[], signal: AbortSignal) =>
      readCoverageStates(canceledBy(signal, archive.client), stations);
    let clock = 0;
    const cache = new CoverageStateCache(archive.client, () => clock);
    const readCached = async (of: readonly string[]) => (await cache.current(of, noLimit())).states;
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const running: Promise<unknown>[] = [];
      for (const { kind, stations, at } of steps)
        if (kind === 'read') {
          clock += 700;
          running.push(readCached(stations));
        } else {
          // The test waits for every third write; the others run beside the next steps.
          const written = write(kind, stations, at);
          running.push(written);
          if (at % 3 === 0) await written;
        }
      await Promise.all(running);
      clock += 1000;
      const sorted = async (states: ReturnType<typeof read>) =>
        [...(await states)].map(([station, { reports, ...state }]) => ({
          station,
          ...state,
          reports: reports.toSorted((a, b) => a.first - b.first),
        }));
      assert.deepEqual(await sorted(readCached(STATIONS)), await sorted(read(STATIONS, noLimit())));
    });
    await fc.assert(property, { numRuns: repetitions({ usual: 12, long: 150 }) });
  });
});
