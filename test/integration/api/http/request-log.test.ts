import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { OBSERVATIONS, QUERY, startApi, type TestApi } from '../../../support/api/api.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { type ClickHouseProxy, startClickHouseProxy } from '../../../support/clickhouse-proxy.ts';
import { until } from '../../../support/engine/engine.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

describe('traceparent', () => {
  const archive = useArchive();
  let statements: IncomingHttpHeaders[] = [];
  let proxy: ClickHouseProxy;
  let client: Archive;
  let api: TestApi;

  before(async () => {
    proxy = await startClickHouseProxy(archive.url);
    proxy.change = (answer, _statement, headers) => {
      statements.push(headers);
      return answer;
    };
    const { database } = archive;
    client = openArchive({ url: proxy.url, username: 'default', password: '', database });
    api = await startApi(client);
  });
  after(async () => {
    await api.stop();
    await client.close();
    await proxy.stop();
  });

  async function getPage(station: string, headers: Record<string, string>) {
    statements = [];
    const id = `request-of-${station}`;
    const target = `${OBSERVATIONS}?${QUERY.replace('XAAA', station)}`;
    const response = await api.get(target, { headers: { ...headers, 'x-request-id': id } });
    assert.equal(response.status, 200);
    await response.text();
    const lineOfRequest = () => api.logLines.find((text) => text.includes(id));
    await until(() => lineOfRequest() !== undefined);
    assert.ok(statements.length > 0);
    return {
      traceId: JSON.parse(lineOfRequest() ?? '').traceId,
      sent: statements.map(({ traceparent }) => traceparent),
    };
  }

  it('of a request is passed to ClickHouse with every statement, and its trace id is logged', async () => {
    const { traceId, sent } = await getPage('XAAB', { traceparent: TRACEPARENT });
    assert.equal(traceId, TRACE_ID);
    assert.deepEqual(new Set(sent), new Set([TRACEPARENT]));
  });

  for (const [name, station, headers] of [
    ['that is not valid is ignored', 'XAAC', { traceparent: 'nonsense' }],
    ['is not invented', 'XAAD', {}],
  ] as const)
    it(name, async () => {
      const { traceId, sent } = await getPage(station, headers);
      assert.equal(traceId, undefined);
      assert.deepEqual(new Set(sent), new Set([undefined]));
    });

  it('is accepted from browsers of other origins', async () => {
    const preflight = await api.get(OBSERVATIONS, { method: 'OPTIONS', key: null });
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\btraceparent\b/);
  });
});
