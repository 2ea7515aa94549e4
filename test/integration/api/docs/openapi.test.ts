import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'mocha';
import { EXAMPLES_FILE, readExamples } from '../../../../api/docs/openapi/examples.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { OBSERVATIONS, startApi, startApiWithoutArchive, type TestApi } from '../../../support/api.ts';
import { emptyArchive, insert, put, report } from '../../../support/archive.ts';
import { loadDemo } from '../../../support/demo-archive.ts';
import { assertDescribed, describedAnswers } from '../../../support/described-answers.ts';
import { startTestRedis } from '../../../support/redis.ts';

const PAGE = `${OBSERVATIONS}?stations=XAAA,XAAB&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z`;

type Options = NonNullable<Parameters<TestApi['get']>[1]>;

describe('the OpenAPI document describes every answer of the service', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let api: TestApi;
  const answered = new Map<string, { readonly request: string; readonly text: string }>();
  const closers: (() => Promise<unknown>)[] = [];
  before(async () => {
    archive = await emptyArchive();
    await loadDemo(archive.client);
    api = await startApi(archive.client);
  });
  // Also where a test failed: an open server keeps the process.
  after(async () => {
    for (const close of [...closers.reverse(), () => api.stop(), () => archive.close()]) await close();
  });

  /** Requests with a key of its own, for the answer holds the number of requests that are left. */
  async function getAnswer(target: string, options: Options = {}, from = api): Promise<string> {
    const { key = await from.createKey('starter') } = options;
    const headers = { 'x-request-id': 'example', ...options.headers };
    const response = await from.get(target, { ...options, key, headers });
    const { name, body } = await assertDescribed(target.replace(/\?.*/, ''), response);
    if (!answered.has(name)) answered.set(name, { request: target, text: body });
    return name;
  }

  async function expectAnswer(name: string, ...request: Parameters<typeof getAnswer>): Promise<void> {
    assert.equal(await getAnswer(...request), name);
  }

  it('a page of observations, with every kind of record', async () => {
    const name = `get ${OBSERVATIONS} 200`;
    await expectAnswer(name, `${PAGE}&include=raw,decoded&limit=2`);
    for (const query of ['', '&include=decoded&limit=10000', '&type=speci', '&limit=1'])
      await expectAnswer(name, PAGE + query);
    await expectAnswer(
      name,
      `${OBSERVATIONS}?stations=KJFK&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z`,
    );
  });

  it('304 for a page that the client has', async () => {
    const etag = (await api.get(PAGE)).headers.get('etag') ?? '';
    await expectAnswer(`get ${OBSERVATIONS} 304`, PAGE, { headers: { 'if-none-match': etag } });
  });

  it('400, 401, 405 and 406', async () => {
    const cursor = JSON.parse(await (await api.get(`${PAGE}&limit=1`)).text()).meta.nextCursor;
    const name = `get ${OBSERVATIONS}`;
    await expectAnswer(`${name} 400 invalid_parameter`, `${PAGE.replace('stations', 'station')}&limit=0`);
    await expectAnswer(`${name} 400 invalid_cursor`, `${PAGE}&cursor=x${cursor}`);
    await expectAnswer(`${name} 400 cursor_mismatch`, `${PAGE}&type=speci&cursor=${cursor}`);
    await expectAnswer(`${name} 401 missing_credentials`, PAGE, { key: null });
    await expectAnswer(`${name} 401 invalid_credentials`, PAGE, { key: 'hist_x' });
    await expectAnswer(`${name} 406 not_acceptable`, PAGE, { headers: { accept: 'image/png' } });
    await expectAnswer(`${name} 4XX`, PAGE, { method: 'POST' });
  });

  it('429', async () => {
    const key = await api.createKey('sandbox');
    await api.get(PAGE, { key });
    await expectAnswer(`get ${OBSERVATIONS} 429 rate_limited`, PAGE, { key });
  });

  it('500', async () => {
    const withoutDatabase = openArchive({
      url: archive.url,
      username: 'default',
      password: '',
      database: 'none',
    });
    const broken = await startApi(withoutDatabase);
    closers.push(() => withoutDatabase.close(), broken.stop);
    await expectAnswer(`get ${OBSERVATIONS} 500 internal`, PAGE, {}, broken);
  });

  it('503 while the storage is down, and while the service stops', async () => {
    const down = await startApiWithoutArchive();
    await expectAnswer(`get ${OBSERVATIONS} 503 storage_unavailable`, PAGE, {}, down);
    await expectAnswer('get /readyz 503 storage_unavailable', '/readyz', {}, down);
    const stopped = down.stop();
    await expectAnswer('get /readyz 503 overloaded', '/readyz', {}, down);
    await stopped;
  });

  it('503 while the key store is down', async () => {
    const redis = await startTestRedis();
    const cut = await startApi(archive.client, { redisUrl: redis.url });
    closers.push(redis.stop, cut.stop);
    const key = await cut.createKey();
    await redis.refuse();
    await expectAnswer(`get ${OBSERVATIONS} 503 key_store_unavailable`, PAGE, { key }, cut);
    await expectAnswer('get /readyz 503 key_store_unavailable', '/readyz', { key }, cut);
  });

  it('503 and 504 while queries are slow', async () => {
    const slow = await emptyArchive();
    await insert(slow.client, put(report({ at: '2024-01-01T01:00:00Z' })));
    await slow.client.command({ query: 'RENAME TABLE observations TO stored' });
    await slow.client.command({
      query: 'CREATE VIEW observations AS SELECT * FROM stored WHERE sleep(3) + sleep(2.9) + sleep(2.8) = 0',
    });
    const busy = await startApi(slow.client, {
      queryLimits: { queryTimeoutSeconds: 7, queriesAtOnce: 1, streamsAtOnce: 1 },
    });
    closers.push(slow.close, busy.stop);
    const names = await Promise.all([getAnswer(PAGE, {}, busy), getAnswer(PAGE, {}, busy)]);
    const name = `get ${OBSERVATIONS}`;
    assert.deepEqual(names.sort(), [`${name} 503 overloaded`, `${name} 504 query_timeout`]);
  }).timeout(60_000);

  it('health and metrics', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      await expectAnswer(`get ${path} 200`, path, { key: null });
      await expectAnswer(`get ${path} 4XX`, path, { key: null, method: 'POST' });
    }
  });

  it('and nothing else: each answer of the document was given', () => {
    assert.deepEqual([...answered.keys()].sort(), [...new Set(describedAnswers())].sort());
  });

  it('its examples are these answers; RECORD_EXAMPLES=1 records them', async () => {
    const given = [...answered].filter(([, { text }]) => text.startsWith('{'));
    const examples = Object.fromEntries(
      given.map(([name, { request, text }]) => [name, { request, body: JSON.parse(text) }]),
    );
    if (process.env.RECORD_EXAMPLES) await writeFile(EXAMPLES_FILE, `${JSON.stringify(examples, null, 2)}\n`);
    assert.deepEqual(readExamples(), examples);
  });
});
