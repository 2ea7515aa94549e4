import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { recordStationDescriptions } from '../../../../clickhouse/stations.ts';
import { OBSERVATIONS, QUERY, startApi, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import {
  BAD_GATEWAY,
  type ClickHouseProxy,
  startClickHouseProxy,
} from '../../../support/clickhouse-proxy.ts';

/** A request of each kind of answer. */
const TARGETS: readonly string[] = [
  `${OBSERVATIONS}?${QUERY}`,
  `${OBSERVATIONS}?${QUERY}&include=raw,decoded&filter=temp_c>1`,
  ...['ndjson', 'csv', 'parquet', 'arrow'].map((format) => `${OBSERVATIONS}.${format}?${QUERY}`),
  `${OBSERVATIONS}.ndjson?${QUERY}&filter=temp_c>1`,
  `/v1/history/hourly?${QUERY}&fields=temp_c`,
  ...['ndjson', 'csv'].map((format) => `/v1/history/hourly.${format}?${QUERY}&fields=temp_c`),
  ...['', '.csv', '.parquet', '.arrow'].map(
    (format) => `/v1/history/statistics${format}?${QUERY}&select=mean(temp_c)&by=date`,
  ),
  '/v1/history/daily?stations=XAAA&from=2024-01-01&to=2024-02-01',
  `/v1/history/coverage?${QUERY}`,
  '/v1/history/stations?q=XA',
  '/v1/history/archive',
];

describe('a proxy before ClickHouse', () => {
  const archive = useArchive();
  let proxy: ClickHouseProxy;
  let client: Archive;
  before(async () => {
    await recordDone(archive.client, '2024-01-01', '2024-02-01');
    await list(archive.client, {});
    const position = { latitude: 1, longitude: 2 };
    const description = { station: 'XAAA', source: 'iem', name: 'X', position };
    await recordStationDescriptions(archive.client, [description], { rank: 1, elevationRank: 1 });
    const times = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2024, 0, 2) + n * 3_600_000));
    const decoded = { temp_c: '12', cavok: true };
    const reports = times.map((time, n) =>
      report({ at: time.toISOString(), decoded: n === 6 ? { ...decoded, maxt6_c: 15 } : decoded }),
    );
    await insert(archive.client, ...reports.map((each) => ({ ...put(each), counts: 'hour' as const })));
    proxy = await startClickHouseProxy(archive.url);
    const { database } = archive;
    client = openArchive({ url: proxy.url, username: 'default', password: '', database });
  });
  after(async () => {
    await client.close();
    await proxy.stop();
  });

  async function withApi<T>(work: (api: TestApi) => Promise<T>): Promise<T> {
    const api = await startApi(client, { pageCacheBytes: 0 });
    try {
      return await work(api);
    } finally {
      proxy.change = undefined;
      await api.stop();
    }
  }
  /** The body without what differs between equal requests; undefined if it breaks off. A stream can break before its head. */
  const bodyOf = async (response: Response) =>
    response.text().then(
      (text) => text.replace(/"rateLimit":\{[^}]*\}/, ''),
      () => undefined,
    );

  it('that cannot reach it makes every endpoint and /readyz unavailable, and each serves again afterwards', async () => {
    await withApi(async (api) => {
      for (const target of TARGETS) {
        proxy.change = BAD_GATEWAY;
        await assertProblem(await api.get(target), 503, 'storage_unavailable');
      }
      assert.equal((await api.get('/readyz')).status, 503);
    });
    await withApi(async (api) => {
      for (const target of TARGETS) assert.equal((await api.get(target)).status, 200, target);
    });
  });

  it('that loses the last line of an answer never makes a response look complete that is not', async () => {
    for (const target of TARGETS.filter((_, n) => [0, 2, 7, 10, 14, 15, 16].includes(n))) {
      const whole = await withApi(async (api) => bodyOf(await api.get(target)));
      let refused = 0;
      for (let statement = 1, isCut = true; isCut; statement += 1) {
        isCut = false;
        await withApi(async (api) => {
          let left = statement;
          proxy.change = (answer) => {
            left -= answer.body.length > 0 ? 1 : 0;
            if (left !== 0 || answer.body.length === 0) return answer;
            [isCut, left] = [true, -1];
            const end = answer.body.lastIndexOf('\n', answer.body.length - 2) + 1;
            return { ...answer, body: answer.body.subarray(0, end) };
          };
          const response = await api.get(target).catch(() => undefined);
          const body = response && (await bodyOf(response));
          if (response?.status === 200 && body !== undefined)
            return assert.equal(body, whole, `${target}, answer ${statement}`);
          if (response !== undefined && response.status !== 200)
            assert.match(body ?? '', /storage_unavailable/, api.logLines.join('\n'));
          refused += 1;
        });
      }
      assert.ok(refused > 0, target);
    }
  });
});
