import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { describe, it } from 'mocha';
import { limitQueries } from '../../../../api/ops/query-limits.ts';

const CLIENT = { key: 'key', length: 100, disconnected: new AbortController().signal };
const RESPONDS = async () => {};
const IS_SILENT = (signal: AbortSignal) => sleep(60_000, undefined, { signal, ref: false });
const LIMITS = { queriesAtOnce: 2, streamsAtOnce: 2, queryTimeoutSeconds: 30 };
const limited = (limits: Partial<typeof LIMITS> = {}) =>
  limitQueries({ ...LIMITS, ...limits }, RESPONDS).runQuery;
const streams = (limits: Partial<typeof LIMITS> = {}) =>
  limitQueries({ ...LIMITS, ...limits }, RESPONDS).runStream;
const neverEnds = (signal: AbortSignal) => sleep(60_000, undefined, { signal });

describe('query limits', () => {
  const failWith = (error: Error) => limited()(() => Promise.reject(error), CLIENT, 1);
  const clickhouseError = (code: string) => new ClickHouseError({ message: 'failed', code, type: 'X' });

  it('turn a lost connection into 503, and an error of ClickHouse about its limits into 503 or 504', async () => {
    const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await assert.rejects(failWith(lost), {
      code: 'storage_unavailable',
      status: 503,
      headers: { 'Retry-After': '2' },
    });
    await assert.rejects(failWith(clickhouseError('202')), {
      code: 'overloaded',
      headers: { 'Retry-After': '1' },
    });
    await assert.rejects(failWith(clickhouseError('159')), { code: 'query_timeout', status: 504 });
  });

  it('pass on an error that is a defect', async () => {
    const defect = clickhouseError('62');
    await assert.rejects(failWith(defect), (error) => error === defect);
  });

  it('run a spare query only while a permit stays free beside it, and report no failure of it', async () => {
    const { runQuery, runIfIdle } = limitQueries({ ...LIMITS, queriesAtOnce: 3 }, RESPONDS);
    const started: string[] = [];
    const spare = (name: string, records: number, result = Promise.resolve()) =>
      runIfIdle(
        () => {
          started.push(name);
          return result;
        },
        'key',
        records,
      );
    spare('fails', 1, Promise.reject(new Error('failed')));
    await sleep(10);
    let finish = () => {};
    const running = runQuery(() => new Promise<void>((resolve) => (finish = resolve)), CLIENT, 1);
    spare('too large', 10_000);
    spare('fits', 1);
    await sleep(10);
    assert.deepEqual(started, ['fails', 'fits']);
    finish();
    await running;
    spare('fits now', 10_000);
    await sleep(10);
    assert.deepEqual(started, ['fails', 'fits', 'fits now']);
  });

  it('stop a query at its time limit, with 504', async () => {
    const run = limited({ queryTimeoutSeconds: 0.01 });
    await assert.rejects(run(neverEnds, CLIENT, 1), { code: 'query_timeout' });
  });

  it('answer a query at its time limit with 503 when the storage does not respond at all', async () => {
    const { runQuery: run } = limitQueries({ ...LIMITS, queryTimeoutSeconds: 0.01 }, IS_SILENT);
    await assert.rejects(run(neverEnds, CLIENT, 1), { code: 'storage_unavailable', status: 503 });
  });

  it('stop the query of a client that disconnects', async () => {
    const controller = new AbortController();
    const query = limited()(neverEnds, { ...CLIENT, disconnected: controller.signal }, 1);
    controller.abort();
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('start no query for a client that has disconnected', async () => {
    const query = limited()(
      () => assert.fail('The query was started'),
      { ...CLIENT, disconnected: AbortSignal.abort() },
      1,
    );
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('refuse a query with 503 overloaded when too many bytes wait (D24, D40)', async () => {
    const run = limited({ queriesAtOnce: 1 });
    const controller = new AbortController();
    const client = { ...CLIENT, disconnected: controller.signal };
    const first = run(neverEnds, client, 1).catch((error) => error.name);
    // 16 MiB each: the second one fills the queue.
    const large = { ...client, length: 2 ** 20 };
    const second = run(neverEnds, large, 1).catch((error) => error.name);
    await assert.rejects(
      run(async () => 'result', large, 1),
      { code: 'overloaded', status: 503, headers: { 'Retry-After': '1' } },
    );
    controller.abort();
    assert.deepEqual(await Promise.all([first, second]), ['AbortError', 'AbortError']);
  });

  it('let a stream be sent for longer than the time limit of a query, but not be opened for longer', async () => {
    const run = streams({ queryTimeoutSeconds: 0.02 });
    const signals: AbortSignal[] = [];
    await run(
      async (signal) => signals.push(signal),
      async () => sleep(60),
      CLIENT,
    );
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
    await assert.rejects(
      run(neverEnds, () => assert.fail('Nothing was opened'), CLIENT),
      { code: 'query_timeout' },
    );
  });

  it('give each client one stream, beside the permits of queries, until it is sent or fails', async () => {
    const { runQuery, runStream } = limitQueries({ ...LIMITS, queriesAtOnce: 1 }, RESPONDS);
    const events: string[] = [];
    let finish = () => {};
    const sending = new Promise<void>((resolve) => (finish = resolve));
    const first = runStream(
      async () => {},
      () => sending,
      CLIENT,
    );
    const failing = runStream(
      async () => events.push('opened'),
      () => Promise.reject(new Error('broken')),
      CLIENT,
    );
    const send = async (client: string) => void events.push(client);
    await runStream(async () => 'other', send, { ...CLIENT, key: 'other' });
    await runQuery(async () => events.push('query'), CLIENT, 1);
    assert.deepEqual(events, ['other', 'query']);
    finish();
    await first;
    await assert.rejects(failing, { message: 'broken' });
    await runStream(async () => 'next', send, CLIENT);
    assert.deepEqual(events, ['other', 'query', 'opened', 'next']);
  });
});
