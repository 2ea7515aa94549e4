import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { limitQueries } from '../../../../api/ops/query-limits.ts';
import { QueuedRequest, RequestQueue } from '../../../../api/ops/request-queue.ts';
import type { Archive } from '../../../../clickhouse/archive.ts';

const NEVER = new AbortController().signal;
const RESPONDS = async (_signal?: AbortSignal) => {};
const IS_SILENT = (signal?: AbortSignal) => sleep(60_000, undefined, { signal, ref: false });
const LIMITS = { queriesAtOnce: 2, streamsAtOnce: 2, queryTimeoutSeconds: 30 };

function start(given: Partial<typeof LIMITS> = {}, ping = RESPONDS) {
  const limits = { ...LIMITS, ...given };
  const queue = new RequestQueue({ ...limits, memoryBytes: 2 ** 20 });
  const queries = limitQueries(queue, { ping } as Archive, limits.queryTimeoutSeconds);
  return {
    queries,
    client: (key = 'key', disconnected = NEVER, length = 100) =>
      new QueuedRequest(queue, { key, length, disconnected }),
  };
}
const neverEnds = (_: Archive, signal: AbortSignal) => sleep(60_000, undefined, { signal });

describe('query limits', () => {
  const failWith = (error: Error) => {
    const { queries, client } = start();
    return queries.runQuery(() => Promise.reject(error), client(), 1);
  };
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

  it('run an idle query only while another place stays free, and report no failure of it', async () => {
    const { queries, client } = start();
    const started: string[] = [];
    const idle = async (name: string, result = Promise.resolve()) => {
      const work = () => {
        started.push(name);
        return result;
      };
      queries.runIfIdle(work, 'key', 1);
      await sleep(10);
    };
    await idle('fails', Promise.reject(new Error('failed')));
    const gone = new AbortController();
    const query = queries.runQuery(neverEnds, client('key', gone.signal), 1).catch(() => {});
    await idle('no place stays free');
    assert.deepEqual(started, ['fails']);
    gone.abort();
    await query;
  });

  it('stop a query at its time limit, with 504', async () => {
    const { queries, client } = start({ queryTimeoutSeconds: 0.01 });
    await assert.rejects(queries.runQuery(neverEnds, client(), 1), { code: 'query_timeout' });
  });

  it('answer a query at its time limit with 503 when the storage does not respond at all', async () => {
    const { queries, client } = start({ queryTimeoutSeconds: 0.01 }, IS_SILENT);
    await assert.rejects(queries.runQuery(neverEnds, client(), 1), {
      code: 'storage_unavailable',
      status: 503,
    });
  });

  it('stop the query of a client that disconnects', async () => {
    const controller = new AbortController();
    const { queries, client } = start();
    const query = queries.runQuery(neverEnds, client('key', controller.signal), 1);
    controller.abort();
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('start no query for a client that has disconnected', async () => {
    const { queries, client } = start();
    const gone = client('key', AbortSignal.abort());
    const query = queries.runQuery(() => assert.fail('The query was started'), gone, 1);
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('let a stream be sent for longer than the time limit of a query, but not be opened for longer', async () => {
    const { queries, client } = start({ queryTimeoutSeconds: 0.02 });
    const signal = await queries.openStream(async (_, given) => given, client());
    await sleep(60);
    assert.equal(signal.aborted, false);
    await assert.rejects(queries.openStream(neverEnds, client('other')), { code: 'query_timeout' });
  });

  it('give each client one stream, in addition to its queries, until it leaves its place or fails', async () => {
    const { queries, client } = start({ queriesAtOnce: 1 });
    const events: string[] = [];
    const first = client();
    await queries.openStream(async () => {}, first);
    const failing = queries.openStream(() => {
      events.push('opened');
      return Promise.reject(new Error('broken'));
    }, client());
    await queries.openStream(async () => events.push('other'), client('other'));
    await queries.runQuery(async () => events.push('query'), client(), 1);
    assert.deepEqual(events, ['other', 'query']);
    first.leave('stream');
    await assert.rejects(failing, { message: 'broken' });
    await queries.openStream(async () => events.push('next'), client());
    assert.deepEqual(events, ['other', 'query', 'opened', 'next']);
  });
});
