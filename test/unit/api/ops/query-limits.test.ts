import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { describe, it } from 'mocha';
import { limitQueries } from '../../../../api/ops/query-limits.ts';

const NEVER = new AbortController().signal;
const limited = (limits: { queriesAtOnce?: number; queryTimeoutSeconds?: number } = {}) =>
  limitQueries({ queriesAtOnce: 2, queryTimeoutSeconds: 30, ...limits });
const neverEnds = (signal: AbortSignal) => sleep(60_000, undefined, { signal });

describe('query limits', () => {
  const failWith = (error: Error) => limited()(() => Promise.reject(error), 1, NEVER);
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

  it('stop a query at its time limit, with 504', async () => {
    const run = limited({ queryTimeoutSeconds: 0.01 });
    await assert.rejects(run(neverEnds, 1, NEVER), { code: 'query_timeout' });
  });

  it('stop the query of a client that disconnects', async () => {
    const controller = new AbortController();
    const query = limited()(neverEnds, 1, controller.signal);
    controller.abort();
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('start no query for a client that has disconnected', async () => {
    const query = limited()(() => assert.fail('The query was started'), 1, AbortSignal.abort());
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('refuse a query with 503 overloaded when the queue is full (D24)', async () => {
    const run = limited({ queriesAtOnce: 1 });
    const clients = Array.from({ length: 17 }, () => new AbortController());
    const queries = clients.map(({ signal }) => run(neverEnds, 1, signal).catch((error) => error.name));
    await assert.rejects(
      run(async () => 'result', 1, NEVER),
      { code: 'overloaded', status: 503, headers: { 'Retry-After': '1' } },
    );
    for (const client of clients) client.abort();
    assert.deepEqual(new Set(await Promise.all(queries)), new Set(['AbortError']));
  });
});
