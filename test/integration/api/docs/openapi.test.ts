import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { MEDIA_TYPES } from '../../../../api/contract/endpoint.ts';
import type { Preset } from '../../../../api/contract/values.ts';
import { EXAMPLES_FILE, type Example, readExamples } from '../../../../api/docs/openapi/responses.ts';
import { parseTrustedProxies } from '../../../../api/rate-limit/client-address.ts';
import { PRESETS } from '../../../../api/statistics/presets.ts';
import type { Select } from '../../../../clickhouse/archive.ts';
import { OBSERVATIONS, startApi, startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { describeStations, emptyArchive, insert, put, report } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';
import { loadDemo } from '../../../support/loader/run-load.ts';
import { startTestRedis } from '../../../support/redis.ts';
import { exportTo } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';
import { assertDescribed, describedAnswers } from './described-answers.ts';

const RANGE = 'from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
const COVERAGE = '/v1/history/coverage';
const STATIONS = '/v1/history/stations';
const STATISTICS = '/v1/history/statistics';
const FILES = '/v1/history/files';

const HOURLY = '/v1/history/hourly';
const TWO = 'stations=XAAA,XAAB';
const PAGE = `${OBSERVATIONS}?${TWO}&${RANGE}`;
const DATES = 'from=2024-01-01&to=2024-02-01';
const RECORDS = ['daily', 'monthly', 'normals'].map((name) => `/v1/history/${name}`);

type Route = {
  readonly path: string;
  readonly target: string;
  /** The same with other filters; absent where the route has no cursor. */
  readonly other?: string;
};

const FORMATS = Object.keys(MEDIA_TYPES) as readonly (keyof typeof MEDIA_TYPES)[];

/** A path by `Accept` and in each format, with a query, and with other filters. */
const routesOf = (path: string, query: string, more: string): readonly Route[] =>
  ['', ...FORMATS.map((format) => `.${format}`)].map((extension) => ({
    path: path + extension,
    target: `${path}${extension}?${query}`,
    other: `${path}${extension}?${more}&${query}`,
  }));

/** A request of each path that reads the archive. */
const ROUTES: readonly Route[] = [
  ...routesOf(OBSERVATIONS, `${TWO}&${RANGE}`, 'type=speci'),
  ...routesOf(HOURLY, `${TWO}&${RANGE}`, 'fields=temp_c'),
  ...RECORDS.flatMap((path) => routesOf(path, `${TWO}&${DATES}`, 'tz=utc')),
  { path: STATISTICS, target: `${STATISTICS}?stations=XAAA&${RANGE}&select=count&by=hour` },
  { path: COVERAGE, target: `${COVERAGE}?${TWO}` },
  ...['', '.json', '.geojson'].map((extension) => ({
    path: STATIONS + extension,
    target: `${STATIONS}${extension}?q=XA`,
    other: `${STATIONS}${extension}?q=XAA`,
  })),
];

/** What is answered in each format: the first query is the example, which must not change with each new field. */
const IN_FORMATS: readonly (readonly [paths: readonly string[], queries: readonly string[]])[] = [
  [
    [OBSERVATIONS],
    [
      `${TWO}&${RANGE}&include=raw,decoded&fields=temp_c,wspd_kt,clouds,fltcat&limit=2`,
      `${TWO}&${RANGE}&include=raw,decoded&limit=2`,
      `${TWO}&${RANGE}`,
      `${TWO}&${RANGE}&include=decoded&fields=temp_c,ceiling_ft,rh_pct&filter=temp_c%20%3C%2010&limit=2`,
    ],
  ],
  [
    [HOURLY],
    [`${TWO}&${RANGE}&limit=2`, `${TWO}&${RANGE}&fields=wx,clouds,ceiling_ft&filter=temp_c%20%3C%2010`],
  ],
  [RECORDS, [`stations=XAAA&${DATES}&limit=1&order=asc`, `stations=XAAB,KZZZ&${DATES}`]],
];

/** Paths whose format is in their name do not read `Accept`, and streams have no entity tag. */
const hasAccept = (path: string) => !path.includes('.');
const hasEntityTag = (path: string) => hasAccept(path) || /\.(geo)?json$/.test(path);

type Options = NonNullable<Parameters<TestApi['get']>[1]>;
/** Of a client that has the answer. */
const KNOWN: Options = { headers: { 'if-none-match': '*' } };

describe('the OpenAPI document describes every answer of the service', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let api: TestApi;
  const answered = new Map<string, { readonly request: string; readonly text: string }>();
  const closers: (() => Promise<unknown>)[] = [];
  /** Services with a defect, without an archive, without time for a query, and without their key store. */
  let broken: TestApi;
  let down: TestApi;
  let impatient: TestApi;
  let cut: TestApi;
  let keyOfCut: string;
  before(async () => {
    archive = await emptyArchive();
    await loadDemo(archive.client);
    const trustedProxies = parseTrustedProxies('127.0.0.1') ?? assert.fail();
    api = await startApi(archive.client, { trustedProxies });
    const fail = () => Promise.reject(new Error('a defect'));
    broken = await startApi({ ...archive.client, select: fail, stream: fail });
    down = await startApiWithoutArchive();
    const limits = { queryTimeoutSeconds: 0.001, queriesAtOnce: 1, streamsAtOnce: 1 };
    impatient = await startApi(archive.client, { queryLimits: limits });
    const redis = await startTestRedis();
    cut = await startApi(archive.client, { redisUrl: redis.url });
    keyOfCut = await cut.createKey();
    await redis.refuse();
    closers.push(redis.stop);
    closers.push(...[broken, down, impatient, cut].map(({ stop }) => stop));
  });
  // Also where a test failed: an open server keeps the process.
  after(async () => {
    for (const close of [...closers.reverse(), () => api.stop(), () => archive.close()]) await close();
  });

  let requests = 0;
  /**
   * Requests with a key and an address of its own: the answer holds the number of requests that are left, and without a key
   * those of an address count.
   */
  async function getAnswer(target: string, options: Options = {}, from = api): Promise<string> {
    const { key = await from.createKey('starter') } = options;
    requests += 1;
    const address = `192.0.2.${requests % 255}`;
    const headers = { 'x-request-id': 'example', 'x-forwarded-for': address, ...options.headers };
    const response = await from.get(target, { ...options, key, headers });
    const { name, body } = await assertDescribed(
      target.replace(/\?.*/, '').replace(/(?<=\/files\/).+/, '{path}'),
      response,
    );
    if (!answered.has(name)) answered.set(name, { request: target, text: body });
    return name;
  }

  async function expectAnswer(name: string, ...request: Parameters<typeof getAnswer>): Promise<void> {
    assert.equal(await getAnswer(...request), name);
  }

  it('a page of observations, with every kind of record, at whole minutes (D1)', async () => {
    const name = `get ${OBSERVATIONS} 200 application/json`;
    await expectAnswer(name, `${PAGE}&include=raw,decoded&limit=2`);
    for (const query of ['', '&include=decoded&limit=10000', '&type=speci', '&limit=1'])
      await expectAnswer(name, PAGE + query);
    await expectAnswer(name, `${OBSERVATIONS}?stations=KJFK&${RANGE}`);
  });

  for (const [paths, queries] of IN_FORMATS)
    for (const format of FORMATS)
      it(`${paths} as ${format}, by path and by Accept`, async () => {
        const type = MEDIA_TYPES[format];
        for (const [path, query] of paths.flatMap((path) => queries.map((query) => [path, query] as const))) {
          await expectAnswer(`get ${path}.${format} 200 ${type}`, `${path}.${format}?${query}`);
          // The answers are the same: the example is enough.
          if (query === queries[0])
            await expectAnswer(`get ${path} 200 ${type}`, `${path}?${query}`, { headers: { accept: type } });
        }
      });

  for (const format of FORMATS)
    it(`statistics as ${format}, by path and by Accept`, async () => {
      const [path, query] = [`${STATISTICS}.${format}`, `?stations=XAAA&${RANGE}&preset=wind-rose`];
      const type = MEDIA_TYPES[format];
      await expectAnswer(`get ${path} 200 ${type}`, path + query);
      await expectAnswer(`get ${STATISTICS} 200 ${type}`, STATISTICS + query, { headers: { accept: type } });
      if (format === 'json') await expectAnswer(`get ${path} 304`, path + query, KNOWN);
      await expectAnswer(`get ${path} 400 invalid_parameter`, `${path}?stations=XAAA`);
      await expectAnswer(`get ${path} 405 method_not_allowed`, path + query, { method: 'POST' });
      await expectAnswer(`get ${path} default`, path + query, {}, down);
    });

  it('statistics and hours of local days, with a station whose zone is unknown', async () => {
    const days = 'stations=XAAA,KZZZ&from=2024-01-01&to=2024-01-02&tz=local';
    for (const [path, type, query] of [
      [STATISTICS, 'application/json', 'select=count&by=date'],
      [HOURLY, 'application/json', 'fields=temp_c'],
      [`${HOURLY}.csv`, MEDIA_TYPES.csv, 'fields=temp_c'],
    ])
      await expectAnswer(`get ${path} 200 ${type}`, `${path}?${days}&${query}`);
  });

  it('statistics of each preset, and by each group', async () => {
    const name = `get ${STATISTICS} 200 application/json`;
    for (const [preset, { of }] of Object.entries<Preset>(PRESETS)) {
      const range = of === 'days' ? DATES : RANGE;
      await expectAnswer(name, `${STATISTICS}?stations=XAAA&${range}&preset=${preset}&tz=utc`);
    }
    await expectAnswer(name, `${STATISTICS}?stations=XAAA&${RANGE}&select=time_of_max(temp_c)`);
    for (const by of ['year,month,date,hour', 'season,fltcat', 'wind_sector(12),class(wspd_kt;4)'])
      await expectAnswer(name, `${STATISTICS}?stations=XAAA&${RANGE}&select=count,mean(temp_c)&by=${by}`);
  });

  it('coverage of stations with reports and without, whole and in part', async () => {
    for (const query of [
      'stations=XAAA&from=2023-12-25T00:00:00Z&to=2024-01-20T00:00:00Z',
      'stations=XAAA,KJFK',
      `stations=XAAB&${RANGE}`,
      `stations=KJFK&${RANGE}`,
    ])
      await expectAnswer(`get ${COVERAGE} 200 application/json`, `${COVERAGE}?${query}`);
  });

  it('stations, known by a description or by a report', async () => {
    await insert(archive.client, put(report({ station: 'XZZZ', at: '2024-01-30T00:00:00Z' })));
    await describeStations(archive.client, [
      { source: 'iem', station: 'XZZZ', name: 'Söder', country: 'SE' },
    ]);
    await expectAnswer(`get ${STATIONS} 200 application/json`, `${STATIONS}?q=XAA&limit=1`);
    for (const query of ['?q=XAA&near=-46,38&limit=2', '', '?stations=XZZZ', '?q=nowhere', '?country=DE']) {
      await expectAnswer(`get ${STATIONS} 200 application/json`, STATIONS + query);
      await expectAnswer(`get ${STATIONS}.json 200 application/json`, `${STATIONS}.json${query}`);
      for (const [path, accept] of [
        [STATIONS, 'application/geo+json'],
        [`${STATIONS}.geojson`, '*/*'],
      ] as const)
        await expectAnswer(`get ${path} 200 application/geo+json`, path + query, { headers: { accept } });
    }
  });

  for (const { path, target, other } of ROUTES) {
    const name = `get ${path}`;

    it(`${path}: 304, 400, 401, 405, 406`, async () => {
      if (hasEntityTag(path)) await expectAnswer(`${name} 304`, target, KNOWN);
      await expectAnswer(`${name} 400 invalid_parameter`, `${path}?station=XAAA&stations=xaab`);
      await expectAnswer(`${name} 401 missing_credentials`, target, { key: null });
      await expectAnswer(`${name} 401 invalid_credentials`, target, { key: 'hist_x' });
      if (hasAccept(path))
        await expectAnswer(`${name} 406 not_acceptable`, target, { headers: { accept: 'image/png' } });
      await expectAnswer(`${name} 405 method_not_allowed`, target, { method: 'POST' });
      if (other === undefined) return;
      const json = target.replace(/\.\w+\?/, '?');
      const { meta } = JSON.parse(await (await api.get(`${json}&limit=1`)).text());
      await expectAnswer(`${name} 400 invalid_cursor`, `${target}&cursor=x${meta.nextCursor}`);
      await expectAnswer(`${name} 400 cursor_mismatch`, `${other}&cursor=${meta.nextCursor}`);
    });

    it(`${path}: 429, 500, 503 while the storage or the key store is down, 504`, async () => {
      const key = await api.createKey('sandbox');
      // On a loaded machine two requests can be more than a second apart.
      do await api.get('/nowhere', { key });
      while ((await getAnswer(target, { key })) !== `${name} 429 rate_limited`);
      await expectAnswer(`${name} 500 internal`, target, {}, broken);
      await expectAnswer(`${name} 503 storage_unavailable`, target, {}, down);
      await expectAnswer(`${name} 503 key_store_unavailable`, target, { key: keyOfCut }, cut);
      await expectAnswer(`${name} 504 query_timeout`, target, {}, impatient);
    });
  }

  it('503 while another query takes the only place', async () => {
    const { client } = archive;
    let begun = 0;
    const untilAborted = (signal?: AbortSignal) => {
      begun += 1;
      return once(signal ?? assert.fail(), 'abort').then(() => Promise.reject(signal?.reason));
    };
    const held = <Result>(run: (statement: Select, signal?: AbortSignal) => Promise<Result>) =>
      ((statement, signal) =>
        statement.query.includes('parseStatus')
          ? untilAborted(signal)
          : run(statement, signal)) as typeof run;
    const busy = await startApi(
      { ...client, select: held(client.select), stream: held(client.stream) },
      { queryLimits: { queryTimeoutSeconds: 600, queriesAtOnce: 1, streamsAtOnce: 1 } },
    );
    closers.push(busy.stop);
    const started = [busy.get(PAGE), busy.get(PAGE, { headers: { accept: MEDIA_TYPES.csv } })];
    await until(() => begun === 2);
    await Promise.all(
      ROUTES.map(({ path, target }) => expectAnswer(`get ${path} 503 overloaded`, target, {}, busy)),
    );
    busy.abort();
    await Promise.allSettled(started);
  });

  it('/readyz: 503', async () => {
    const stopping = await startApiWithoutArchive();
    const key = await stopping.createKey('starter');
    await expectAnswer('get /readyz 503 storage_unavailable', '/readyz', { key }, stopping);
    // The connection of the request before is still open.
    const stopped = stopping.drain();
    await expectAnswer('get /readyz 503 overloaded', '/readyz', { key }, stopping);
    await stopped;
    await expectAnswer('get /readyz 503 key_store_unavailable', '/readyz', { key: null }, cut);
  });

  it('the files of a snapshot', async () => {
    const archiveFiles = newFolder();
    await exportTo(archive.client, archiveFiles);
    const from = await startApi(archive.client, { archiveFiles });
    closers.push(from.stop);
    const [list, file] = [FILES, `${FILES}/reports/year=2024/00001.parquet`];
    await expectAnswer(`get ${list} 200 application/json`, list, {}, from);
    const name = `get ${FILES}/{path}`;
    await expectAnswer(`${name} 200 ${MEDIA_TYPES.parquet}`, file, {}, from);
    await expectAnswer(`${name} 206 ${MEDIA_TYPES.parquet}`, file, { headers: { range: 'bytes=0-3' } }, from);
    await expectAnswer(`${name} 416`, file, { headers: { range: 'bytes=99999999-' } }, from);
    for (const [described, path] of [
      [`get ${list}`, list],
      [name, file],
    ] as const) {
      await expectAnswer(`${described} 304`, path, KNOWN, from);
      await expectAnswer(`${described} 400 invalid_parameter`, `${path}?a=b`, {}, from);
      await expectAnswer(`${described} 403 forbidden`, path, { key: await from.createKey('sandbox') }, from);
      await expectAnswer(`${described} 404 not_found`, path);
      await expectAnswer(`${described} 405 method_not_allowed`, path, { method: 'POST' });
      await expectAnswer(`${described} default`, path, { key: null });
    }
  });

  it('health, metrics and the archive in numbers, without a key', async () => {
    const paths = ['/v1/history/archive', '/v1/history/archive/stations', '/healthz', '/readyz', '/metrics'];
    for (const path of paths) {
      const type = path === '/metrics' ? 'text/plain' : 'application/json';
      await expectAnswer(`get ${path} 200 ${type}`, path, { key: null });
      await expectAnswer(`get ${path} 405 method_not_allowed`, path, { key: null, method: 'POST' });
      if (path.includes('archive'))
        await expectAnswer(`get ${path} 503 storage_unavailable`, path, { key: null }, down);
    }
    await expectAnswer('get /v1/history/archive/stations 304', '/v1/history/archive/stations', KNOWN);
  });

  it('and nothing else: each answer of the document was given', () => {
    assert.deepEqual([...answered.keys()].sort(), [...new Set(describedAnswers())].sort());
  });

  it('its examples are these answers; RECORD_EXAMPLES=1 records them', async () => {
    // Metrics and files differ from run to run. Problems are recorded on the path of observations alone, and each answer
    // on one path: JSON on that without a format, others on that of their format.
    const left =
      /text\/plain|apache|\/files|(?<!\/observations) [45]| default$|\.json 200|\/\w+ 200 (text|\S+[+-]\w*json)/;
    const given = [...answered].filter(([name, { text }]) => text !== '' && !left.test(name));
    const examples = given.map(
      ([name, { request, text }]): Example => ({
        of: name.replace(/^get (\S+?)(\.\w+)? 200 /, '$1 ').replace(/^get \S+ \d+ /, ''),
        request,
        body: text.startsWith('{') && !name.endsWith('ndjson') ? JSON.parse(text) : text,
      }),
    );
    if (process.env.RECORD_EXAMPLES)
      await writeFile(EXAMPLES_FILE, examples.map((example) => `${JSON.stringify(example)}\n`).join(''));
    assert.deepEqual(readExamples(), examples);
  });
});
