import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { PRESETS } from '../../../../api/parameters/presets.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../../../support/api/api.ts';
import { emptyArchive, insert, put, retract, type TestArchive } from '../../../support/archive/archive.ts';
import { describeStations } from '../../../support/archive/descriptions.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';
import {
  type DuckdbAnswers,
  openDuckdbAnswers,
  type QuestionText,
} from '../../../support/statistics/duckdb-answers.ts';
import { randomQuestion } from '../../../support/statistics/random-question.ts';
import { randomDecoded, randomReports, STATIONS, ZONES } from '../../../support/statistics/random-reports.ts';

const RANK = 0x1_0000;
const RANGE = { from: '2023-12-01T00:00:00Z', to: '2024-12-31T00:00:00Z' };
const STATISTICS = '/v1/history/statistics';

type Row = Readonly<Record<string, unknown>>;

for (const seed of seeds(10))
  describe(`statistics are those that DuckDB computes from the records, seed ${seed}`, () => {
    let archive: TestArchive;
    let api: TestApi;
    let duckdb: DuckdbAnswers;
    before(async () => {
      archive = await emptyArchive();
      const random = seededRandom(seed);
      const reports = randomReports(random);
      // Each in ten has a version that was replaced, and each in thirty is retracted.
      const replaced = reports.filter(() => random() < 0.1);
      await insert(
        archive.client,
        ...replaced.map((report) => put({ ...report, decoded: randomDecoded(random) }, RANK)),
      );
      await insert(archive.client, ...reports.map((report) => put(report, RANK + 1)));
      const retracted = reports.filter(() => random() < 0.03);
      await insert(archive.client, ...retracted.map((report) => retract(report, RANK + 2)));
      await describeStations(
        archive.client,
        STATIONS.map((station) => {
          const [, latitude, longitude] = ZONES[station];
          return { source: 'iem', station, position: { latitude, longitude } };
        }),
      );
      api = await startApi(archive.client);
      const query = new URLSearchParams({ stations: STATIONS.join(), ...RANGE, include: 'decoded' });
      const lines = await api.get(`${OBSERVATIONS}.ndjson?${query}`);
      duckdb = await openDuckdbAnswers(Buffer.from(await lines.arrayBuffer()));
    });
    after(async () => {
      duckdb.close();
      await api.stop();
      await archive.close();
    });

    async function assertSame(
      { stations, ...question }: QuestionText,
      asked: Partial<Record<string, string>>,
    ) {
      const query = new URLSearchParams({ stations: stations.join(), ...(asked as Record<string, string>) });
      if (query.get('by') === '') query.delete('by');
      const response = await api.get(`${STATISTICS}?${query}`);
      const text = await response.text();
      assert.equal(response.status, 200, text);
      const rows = JSON.parse(text).data as readonly Row[];
      const expected = await duckdb.answer({ stations, ...question });
      assert.equal(rows.length, expected.length, decodeURIComponent(`${query}`));
      for (const [n, row] of rows.entries())
        assert.ok(
          isSame(row, expected[n] as Row),
          `${decodeURIComponent(`${query}`)}\n${JSON.stringify(row)}\n${JSON.stringify(expected[n])}`,
        );
    }

    it('random questions', async () => {
      const random = seededRandom(seed);
      for (let n = 0; n < repetitions({ usual: 20, long: 300 }); n += 1) {
        const question = randomQuestion(random);
        const { stations: _, ...asked } = question;
        await assertSame(question, asked);
      }
    }).timeout(300_000);

    for (const [preset, { select, by, sample }] of Object.entries(PRESETS))
      it(`the preset ${preset}`, async () => {
        const asked = { stations: ['XDEL', 'XNYC'], ...RANGE, tz: 'local' };
        await assertSame({ ...asked, select, by, sample }, { ...RANGE, tz: 'local', preset });
      });
  });

/** Sums of the same numbers in another order differ in their last digits. */
function isSame(row: Row, expected: Row): boolean {
  const names = Object.keys(row);
  return (
    names.length === Object.keys(expected).length &&
    names.every((name) => isSameValue(row[name], expected[name]))
  );
}

function isSameValue(value: unknown, expected: unknown): boolean {
  if (typeof value !== 'number' || typeof expected !== 'number') return value === expected;
  return Math.abs(value - expected) <= 1e-9 * Math.max(1, Math.abs(value));
}
