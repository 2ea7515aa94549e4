import assert from 'node:assert/strict';
import type { Decoded } from '../../../../clickhouse/model/report.ts';
import { pageReader } from '../../../../clickhouse/observations/page.ts';
import { noFields } from '../../../../loader/decode/fields.ts';
import { decode } from '../../../../loader/decode.ts';
import { REPORTS } from '../../../fixtures/reports.ts';
import { emptyArchive, insert, NO_LIMIT, put, report } from '../../../support/archive.ts';

describe('decoded fields', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  before(async () => {
    archive = await emptyArchive();
  });
  after(() => archive.close());

  const decoded = REPORTS.map((raw) => decode(raw).fields);

  it('are all given by the reports of this test', () => {
    const given = new Set(decoded.flatMap((fields) => Object.keys(fields)));
    assert.deepEqual(
      Object.keys(noFields()).filter((name) => !given.has(name)),
      [],
    );
  });

  it('come out of the archive as the decoder made them (D9)', async () => {
    const start = Date.parse('2024-01-01T00:00:00Z');
    const at = (minute: number) => new Date(start + minute * 60_000).toISOString();
    await insert(
      archive.client,
      ...decoded.map((fields, n) => put(report({ at: at(n), raw: REPORTS[n] ?? '', decoded: fields }))),
    );
    const page = await pageReader(archive.client)(
      {
        stations: ['XAAA'],
        from: start,
        to: start + 86_400_000,
        types: ['METAR', 'SPECI'],
        raw: false,
        decoded: true,
        limit: 100,
      },
      NO_LIMIT,
    );
    const served = page.records.map((record) => (JSON.parse(record) as { decoded: Decoded }).decoded);
    assert.deepEqual(served, decoded);
  });

  it('are columns to an analyst', async () => {
    const result = await archive.client.query({
      query:
        'SELECT station, round(avg(decoded.temp_c), 1) AS mean, max(decoded.wgst_kt) AS gust FROM observations GROUP BY station',
      format: 'JSONEachRow',
    });
    const temperatures = decoded.flatMap(({ temp_c }) => (temp_c === undefined ? [] : [Number(temp_c)]));
    const mean = temperatures.reduce((sum, each) => sum + each, 0) / temperatures.length;
    assert.deepEqual(await result.json(), [{ station: 'XAAA', mean: Math.round(mean * 10) / 10, gust: 99 }]);
  });
});
