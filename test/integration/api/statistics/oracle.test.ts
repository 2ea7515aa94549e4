import assert from 'node:assert/strict';
import { PRESETS } from '../../../../api/contract/presets.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import { STATISTICS as ENDPOINT, questionOf } from '../../../../api/statistics/endpoint.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { startApi } from '../../../support/api/api.ts';
import { useApi } from '../../../support/api/use-api.ts';
import { insert, put, retract } from '../../../support/archive/archive.ts';
import { describeStations } from '../../../support/archive/descriptions.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';
import { meanYearByDefinition } from '../../../support/statistics/mean-year.ts';
import { answerByDefinition, type OffsetOf, type Row } from '../../../support/statistics/oracle.ts';
import { type QuestionText, randomQuestion } from '../../../support/statistics/random-question.ts';
import {
  randomDecoded,
  randomReports,
  STATIONS,
  type Station,
  standardShift,
  ZONES,
} from '../../../support/statistics/random-reports.ts';

const RANK = 0x1_0000;
const RANGE = { from: '2023-12-01T00:00:00Z', to: '2024-12-31T00:00:00Z' };
const STATISTICS = '/v1/history/statistics';

for (const seed of seeds(10))
  describe(`statistics are those of their definitions (D45, D54), seed ${seed}`, () => {
    const archive = useArchive();
    let current: readonly Report[];
    before(async () => {
      const random = seededRandom(seed);
      const reports = randomReports(random);
      // Each in ten has a version that was replaced, and each in thirty is retracted.
      const replaced = reports.filter(() => random() < 0.1);
      await insert(
        archive.client,
        ...replaced.map((report) => put({ ...report, decoded: randomDecoded(random) }, RANK)),
      );
      await insert(archive.client, ...reports.map((report) => put(report, RANK + 1)));
      const retracted = new Set(reports.filter(() => random() < 0.03));
      await insert(archive.client, ...[...retracted].map((report) => retract(report, RANK + 2)));
      current = reports.filter((report) => !retracted.has(report));
      await describeStations(
        archive.client,
        STATIONS.map((station) => {
          const [, latitude, longitude] = ZONES[station];
          return { source: 'iem', station, position: { latitude, longitude } };
        }),
      );
    });
    const api = useApi(() => startApi(archive.client));

    async function assertSame(asked: QuestionText & { readonly preset?: string }) {
      const { stations, ...others } = asked;
      const query = new URLSearchParams({ stations: stations.join(), ...others });
      if (query.get('by') === '') query.delete('by');
      if (query.has('preset')) for (const name of ['select', 'by', 'sample']) query.delete(name);
      const response = await api.get(`${STATISTICS}?${query}`);
      const text = await response.text();
      assert.equal(response.status, 200, text);
      const rows = JSON.parse(text).data as readonly Row[];
      const question = questionOf(readQuery(ENDPOINT, `${query}`).values);
      const rowsByDefinition = answerByDefinition(current, question, offsetsOf(asked.tz));
      const expected = question.isMeanYear ? meanYearByDefinition(rowsByDefinition) : rowsByDefinition;
      assert.equal(rows.length, expected.length, decodeURIComponent(`${query}`));
      for (const [n, row] of rows.entries())
        assert.ok(
          isSame(row, expected[n] as Row),
          `${decodeURIComponent(`${query}`)}\n${JSON.stringify(row)}\n${JSON.stringify(expected[n])}`,
        );
    }

    it('random questions', async () => {
      const random = seededRandom(seed);
      for (let n = 0; n < repetitions({ usual: 20, long: 300 }); n += 1)
        await assertSame(randomQuestion(random));
    }).timeout(300_000);

    for (const preset of Object.keys(PRESETS))
      it(`the preset ${preset}`, () =>
        assertSame({ stations: ['XDEL', 'XNYC'], ...RANGE, select: '', tz: 'local', preset }));
  });

/** By ICU, at each time. */
function offsetsOf(tz: string): OffsetOf {
  if (tz === 'utc') return () => 0;
  if (tz === 'standard') return (station) => standardShift(ZONES[station as Station][0]);
  return (station, time) => offsetAt(tz === 'local' ? ZONES[station as Station][0] : tz, time);
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function offsetAt(timeZone: string, time: number): number {
  const format =
    FORMATS.get(timeZone) ??
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  FORMATS.set(timeZone, format);
  return Date.parse(`${format.format(time * 1000).replace(' ', 'T')}Z`) / 1000 - time;
}

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
