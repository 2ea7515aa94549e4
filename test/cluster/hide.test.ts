import assert from 'node:assert/strict';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { idOf, readHiddenReports } from '../../clickhouse/observations/hidden-reports.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import { selectRows } from '../../clickhouse/statements/select.ts';
import { iem } from '../../loader/sources/iem.ts';
import { loadWith } from '../support/loader/run-load.ts';
import { startLoader } from '../support/process.ts';
import { type IemReplay, replayIem } from '../support/sources/replay-iem.ts';
import { reportsOf, stationsOfShards } from './station-years.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';

const TIME = Date.parse('2024-01-01T12:51:00Z') / 1000;

describe('load -- hide and unhide on two shards (D84)', () => {
  let shards: TwoShards;
  let loader: Archive;
  let readers: readonly Archive[];
  let source: IemReplay;
  let stations: readonly string[];
  /** Longer than the other report of its minute, so it counts. */
  const wrongOf = (station: string) =>
    `METAR ${station} 011251Z 18013KT 10SM FEW050 45/05 A3002 RMK AO2 P0100`;
  before(async () => {
    shards = await startTwoShards();
    stations = (await stationsOfShards(shards, 1)).flat().sort();
    const settings = shards.settingsOf('loader');
    loader = openArchive(settings, 10, await readInsertSettings(settings));
    readers = [openArchive(shards.settingsOf('api', 0)), openArchive(shards.settingsOf('api', 1))];
    const wrong = stations.map((id) => ({ id, valid: '2024-01-01 12:51', metar: wrongOf(id) }));
    source = await replayIem([...reportsOf(stations, 1), ...wrong]);
    await loadWith(
      loader,
      iem(source.url),
      `--source iem --stations ${stations} --from 2024-01-01 --to 2024-01-02`,
    );
  });
  after(async () => {
    for (const client of [loader, ...(readers ?? [])]) await client?.close();
    await source?.close();
    await shards?.stop();
  });

  const run = async (args: string) => {
    const { code, out } = await startLoader(args, shards.environmentOf('loader')).finished;
    assert.equal(code, 0, out);
  };
  /** By way of each server: what counts of the minute, and the hidden reports. */
  const assertCounts = async (wrong: string, other: string, hidden: readonly string[]) => {
    for (const reader of readers) {
      const rows = await selectRows(reader, {
        query: `SELECT station, raw LIKE '%45/05%' AS isWrong, counts FROM station_observations FINAL
          WHERE observedAt = '2024-01-01 12:51:00' ORDER BY station, isWrong`,
      });
      const expected = stations.flatMap((station) => [
        { station, isWrong: 0, counts: other },
        { station, isWrong: 1, counts: wrong },
      ]);
      assert.deepEqual(rows, expected);
      assert.deepEqual((await readHiddenReports(reader)).map(idOf), hidden);
    }
  };

  it('choose again on both shards, seen from both servers', async () => {
    const range = { from: TIME, to: TIME + 60 };
    const stored = await Promise.all(
      stations.map((station) => readStoredReports(loader, { station, ...range })),
    );
    const ids = stored
      .flat()
      .filter(({ raw }) => raw.includes('45/05'))
      .map(idOf)
      .sort();
    assert.equal(ids.length, 2);
    await assertCounts('hour', 'no', []);
    await run(`hide ${ids.join(' ')} --reason sensor`);
    await assertCounts('no', 'hour', ids);
    await run(`unhide ${ids.join(' ')}`);
    await assertCounts('hour', 'no', []);
  });
});
