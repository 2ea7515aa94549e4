import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Observation, ObservationsOptions } from '../../../../api/client/client.d.ts';
import {
  hourly,
  observations,
  ProblemError,
  statistics,
  TransportError,
} from '../../../../api/client/observations.js';
import { OBSERVATIONS, startApiWithReports } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { until } from '../../../support/engine/engine.ts';
import { type FaultyProxy, startFaultyProxy } from '../../../support/faulty-proxy.ts';

const FROM = '2024-01-30T00:00:00Z';
const TO = new Date('2024-02-02T00:00:00Z');

const REPORTS = Array.from({ length: 72 }, (_, hour) => {
  const at = new Date(Date.UTC(2024, 0, 30, hour)).toISOString();
  return [report({ at }), report({ at, station: 'XAAB', type: hour % 4 === 0 ? 'SPECI' : 'METAR' })];
}).flat();

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('client', () => {
  let api: Awaited<ReturnType<typeof startApiWithReports>>;
  let proxy: FaultyProxy;
  let apiKey: string;
  let all: readonly Observation[];

  before(async () => {
    api = await startApiWithReports(REPORTS);
    proxy = await startFaultyProxy(api.url);
    apiKey = await api.createKey();
    const query = `stations=XAAA,XAAB&from=${FROM}&to=${TO.toISOString()}&include=raw,decoded&limit=1000`;
    all = await api.rows(`${OBSERVATIONS}?${query}`);
    assert.equal(all.length, 144);
  });
  after(async () => {
    await proxy.stop();
    await api.stop();
  });
  afterEach(() => {
    proxy.faults.length = 0;
  });

  const basis = () => ({ baseUrl: proxy.url, apiKey, stations: ['XAAA', 'XAAB'], from: FROM, to: TO });
  const walkOver = (options: Partial<ObservationsOptions> = {}) =>
    observations({ ...basis(), include: ['raw', 'decoded'], limit: 20, ...options });

  it('returns the records of all pages, each once and in order; the largest pages unless a limit is given', async () => {
    const requests = proxy.targets.length;
    const walk = walkOver();
    assert.deepEqual(await collect(walk), all);
    assert.equal(proxy.targets.length - requests, 8);
    assert.equal(walk.cursor, undefined);
    await collect(walkOver({ limit: undefined }));
    assert.match(proxy.targets.at(-1) ?? '', /[?&]limit=10000(&|$)/);
  });

  it('runs as the guide shows it, in plain Node', async () => {
    const guide = readFileSync(new URL('../../../../docs/guide/client.md', import.meta.url), 'utf8');
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(guide) ?? [];
    const client = new URL('../../../../api/client/observations.js', import.meta.url).href;
    const program = example
      .replace('http://127.0.0.1:8080', api.url)
      .replace('historical-observations-client', client);
    assert.notEqual(program, example);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env: { ...process.env, KEY: apiKey } },
    );
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines[0], '2024-01-30T00:00:00Z XAAA 12');
    assert.deepEqual([lines.length, lines.at(-1)], [97, 'partial']);
  });

  it('sends each option as its parameter', async () => {
    const options = { type: 'speci', include: ['raw'], stations: ['XAAB'], limit: 7 } as const;
    const special = all.filter(({ type }) => type === 'SPECI');
    assert.deepEqual(
      await collect(walkOver(options)),
      special.map(({ decoded, ...record }) => ({ ...record, parseStatus: 'raw_only' })),
    );
    const { searchParams } = new URL(proxy.targets.at(-1) ?? '', proxy.url);
    searchParams.delete('cursor');
    assert.deepEqual(Object.fromEntries(searchParams), {
      stations: 'XAAB',
      from: FROM,
      to: '2024-02-02T00:00:00.000Z',
      type: 'speci',
      include: 'raw',
      limit: '7',
    });
  });

  it('accepts a base URL with a path and a slash at its end', async () => {
    const walk = walkOver({ baseUrl: `${proxy.url}/archive/` });
    await assert.rejects(collect(walk), { code: 'not_found' });
    assert.match(proxy.targets.at(-1) ?? '', /^\/archive\/v1\/history\/observations\?/);
  });

  it('knows the coverage before the first record, and of a range without records', async () => {
    const walk = walkOver();
    const coverageAtBegin = walk.coverage;
    assert.equal(coverageAtBegin, undefined);
    for await (const _ of walk) break;
    const { status, stations } = walk.coverage ?? assert.fail();
    assert.deepEqual([status, ...stations.map(({ station }) => station)], ['partial', 'XAAA', 'XAAB']);
    const empty = walkOver({ stations: ['XZZZ'] });
    assert.deepEqual(await collect(empty), []);
    assert.equal(empty.coverage?.status, 'none');
  });

  it('waits as long as Retry-After says, in seconds or as a date, when the limit of the plan is reached', async () => {
    const retryAfter = new Date(Date.now() + 2000).toUTCString();
    proxy.faults.push({ status: 429, retryAfter });
    assert.deepEqual(await collect(walkOver({ limit: 1000, maxRetries: 0 })), all);
    assert.ok(Date.now() >= Date.parse(retryAfter));
    const started = performance.now();
    const walk = walkOver({ apiKey: await api.createKey('sandbox'), limit: 100, maxRetries: 0 });
    assert.deepEqual(await collect(walk), all);
    assert.ok(performance.now() - started > 900);
  });

  it('repeats a request after 503, a reset connection and a cut body', async () => {
    proxy.faults.push(undefined, { status: 503, retryAfter: '1' }, undefined, 'reset', undefined, 'cut');
    assert.deepEqual(await collect(walkOver()), all);
  });

  it('throws after `maxRetries` failures in a row, and resumes from the cursor', async () => {
    proxy.faults.push(undefined, undefined, 'reset', 'reset', 'reset');
    const walk = walkOver({ maxRetries: 2 });
    const first: Observation[] = [];
    const reading = (async () => {
      for await (const record of walk) first.push(record);
    })();
    await assert.rejects(reading, (error) => error instanceof TransportError && error.status === undefined);
    assert.equal(proxy.faults.length, 0);
    const rest = await collect(walkOver({ cursor: walk.cursor }));
    assert.deepEqual([...first, ...rest], all);
  });

  it('resumes from its cursor with the page in which a loop stopped, and from that of a page with the next', async () => {
    const walk = walkOver();
    let read = 0;
    for await (const _ of walk) if (++read === 25) break;
    assert.deepEqual(await collect(walkOver({ cursor: walk.cursor })), all.slice(20));
    for await (const { data, meta } of walkOver().pages()) {
      const rest = walkOver({ cursor: meta.nextCursor, limit: 1000 });
      assert.deepEqual([...data, ...(await collect(rest))], all);
      break;
    }
  });

  it('does not repeat a request that the service refuses, and throws the fields of the problem', async () => {
    const requests = proxy.targets.length;
    await assert.rejects(collect(walkOver({ stations: ['kjfk'], limit: 0 })), (error: unknown) => {
      assert.ok(error instanceof ProblemError);
      const { status, code, type, title, requestId, errors, message } = error;
      assert.equal(type, `${proxy.url}/docs/errors/invalid_parameter`);
      assert.deepEqual([status, code, title], [400, 'invalid_parameter', 'Invalid parameter']);
      assert.match(requestId, /^[\w.-]+$/);
      assert.deepEqual(
        errors.map(({ parameter }) => parameter).filter((name) => message.includes(`${name}: `)),
        ['stations', 'limit'],
      );
      return true;
    });
    assert.equal(proxy.targets.length, requests + 1);
    const refused = { status: 401, code: 'invalid_credentials' };
    await assert.rejects(collect(walkOver({ apiKey: 'wrong' })), refused);
  });

  it('throws when something else than the service responds', async () => {
    proxy.faults.push({ status: 403 });
    await assert.rejects(
      collect(walkOver()),
      (error) => error instanceof TransportError && error.status === 403,
    );
  });

  describe('with a signal', () => {
    const reason = new Error('enough');

    // Nothing else ends the walk before the time limit of a test: its waits are longer.
    for (const [awaited, fault] of [
      ['the limit of the plan', { status: 429, retryAfter: '3600' }],
      ['its next try', { status: 503, retryAfter: '3600' }],
      ['a response', 'silence'],
    ] as const)
      it(`stops while it waits for ${awaited}`, async () => {
        proxy.faults.push(fault);
        const abort = new AbortController();
        const loop = collect(walkOver({ signal: abort.signal }));
        await until(() => proxy.faults.length === 0);
        await sleep(50);
        abort.abort(reason);
        await assert.rejects(loop, reason);
      });

    it('leaves no listener on it, also after a request that failed', async () => {
      proxy.faults.push({ status: 503, retryAfter: '0' });
      const { signal } = new AbortController();
      await collect(walkOver({ signal }));
      assert.deepEqual(getEventListeners(signal, 'abort'), []);
    });

    it('stops within a page, and sends nothing when it is aborted before', async () => {
      const abort = new AbortController();
      const records: Observation[] = [];
      await assert.rejects(async () => {
        for await (const record of walkOver({ signal: abort.signal })) {
          records.push(record);
          if (records.length === 5) abort.abort(reason);
        }
      }, reason);
      assert.equal(records.length, 5);
      const requests = proxy.targets.length;
      await assert.rejects(collect(walkOver({ signal: AbortSignal.abort(reason) })), reason);
      assert.equal(proxy.targets.length, requests);
    });
  });

  it('walks over the nominal hours, also those without a report', async () => {
    const to = new Date('2024-02-02T02:00:00Z');
    const walk = hourly({ ...basis(), to, fields: ['temp_c'], limit: 50 });
    const rows = await collect(walk);
    assert.equal(rows.length, 2 * 74);
    assert.deepEqual(
      rows.filter(({ n }) => n === 0).map(({ station, hour }) => `${hour} ${station}`),
      ['00', '01'].flatMap((hour) => ['XAAA', 'XAAB'].map((code) => `2024-02-02T${hour}:00:00Z ${code}`)),
    );
    assert.equal(walk.coverage?.stations.length, 2);
  });

  it('asks for statistics, and repeats the question while its failure can pass', async () => {
    proxy.faults.push({ status: 503, retryAfter: '0' });
    const options = { ...basis(), stations: ['XAAA'], by: 'date' } as const;
    const { data, meta } = await statistics({ ...options, select: 'count,mean(temp_c)' });
    assert.deepEqual(
      data.map(({ date, n }) => `${date} ${n}`),
      ['2024-01-30 24', '2024-01-31 24', '2024-02-01 24'],
    );
    assert.equal(meta.coverage.stations.length, 1);
    await assert.rejects(statistics({ ...options, select: 'maen(temp_c)' }), ProblemError);
  });
});
