import assert from 'node:assert/strict';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import { beforeEach, describe, it } from 'mocha';
import { limitQueries, type QueryClient } from '../../../../api/ops/query-limits.ts';
import { ResponseMemory } from '../../../../api/ops/response-memory.ts';

const NEVER = new AbortController().signal;
const memory = new ResponseMemory(2 ** 20);
const clientOf = (key: string, disconnected = NEVER, length = 100): QueryClient => ({
  key,
  length,
  disconnected,
  memory: memory.open({ key, length }),
});
const RESPONDS = async (_signal: AbortSignal) => {};
const IS_SILENT = (signal: AbortSignal) => sleep(60_000, undefined, { signal, ref: false });
const LIMITS = { queriesAtOnce: 2, streamsAtOnce: 2, queryTimeoutSeconds: 30 };
const start = (limits: Partial<typeof LIMITS> = {}, probe = RESPONDS) =>
  limitQueries({ ...LIMITS, ...limits }, memory, probe, () => {});
const limited = (limits: Partial<typeof LIMITS> = {}) => start(limits).runQuery;
const streams = (limits: Partial<typeof LIMITS> = {}) => start(limits).runStream;
const neverEnds = (signal: AbortSignal) => sleep(60_000, undefined, { signal });

describe('query limits', () => {
  let client: QueryClient;
  // It waits for five seconds from its arrival at most.
  beforeEach(() => {
    client = clientOf('key');
  });
  const failWith = (error: Error) => limited()(() => Promise.reject(error), client, 1);
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

  it('run an idle query only while a permit and memory stay free beside it, and report no failure of it', async () => {
    const { runQuery, runIfIdle } = start({ queriesAtOnce: 3 });
    const started: string[] = [];
    const idle = (name: string, bytes: number, result = Promise.resolve()) =>
      runIfIdle(
        () => {
          started.push(name);
          return result;
        },
        'key',
        bytes,
      );
    idle('fails', 1, Promise.reject(new Error('failed')));
    await sleep(10);
    idle('too large', 2 ** 20);
    const gone = new AbortController();
    const run = () => runQuery(neverEnds, clientOf('key', gone.signal), 1).catch(() => {});
    const first = run();
    await sleep(10);
    idle('fits', 1);
    await sleep(10);
    const others = [run(), run()];
    await sleep(10);
    idle('no permit is left', 1);
    await sleep(10);
    assert.deepEqual(started, ['fails', 'fits']);
    gone.abort();
    await Promise.all([first, ...others]);
  });

  it('start with turns of the event loop in between, so that others are answered meanwhile (D40)', async () => {
    const { runQuery } = start({ queriesAtOnce: 5 });
    const events: string[] = [];
    const query = () => runQuery(async () => events.push('query'), client, 1);
    const queries = Promise.all(Array.from({ length: 5 }, query));
    while (events.filter((event) => event === 'query').length < 5) {
      await turn();
      events.push('turn');
    }
    await queries;
    assert.doesNotMatch(events.join(), /query,query|query,turn,query/);
  });

  it('wait for the memory of the response before a permit, and refuse with 503 what is too long in coming', async () => {
    const small = new ResponseMemory(100, 50);
    const { runQuery } = limitQueries(LIMITS, small, RESPONDS, () => {});
    const open = (key: string) => ({ ...clientOf(key), memory: small.open({ key, length: 100 }) });
    const [first, second, third] = [open('a'), open('b'), open('c')];
    assert.equal(await runQuery(async () => 'result', first, 90), 'result');
    await assert.rejects(
      runQuery(async () => assert.fail('The query was started'), second, 90),
      { code: 'overloaded', status: 503 },
    );
    const waiting = runQuery(async () => 'result', third, 90);
    first.memory.release();
    assert.equal(await waiting, 'result');
  });

  it('let a request whose memory came late wait a moment for a permit too', async () => {
    const { runQuery } = start({ queriesAtOnce: 1 });
    const late = clientOf('late');
    Object.assign(late.memory, { since: performance.now() - 4990 });
    const running = runQuery(() => sleep(200), client, 1);
    assert.equal(await runQuery(async () => 'result', late, 1), 'result');
    await running;
  });

  it('stop a query at its time limit, with 504', async () => {
    const run = limited({ queryTimeoutSeconds: 0.01 });
    await assert.rejects(run(neverEnds, client, 1), { code: 'query_timeout' });
  });

  it('answer a query at its time limit with 503 when the storage does not respond at all', async () => {
    const { runQuery: run } = start({ queryTimeoutSeconds: 0.01 }, IS_SILENT);
    await assert.rejects(run(neverEnds, client, 1), { code: 'storage_unavailable', status: 503 });
  });

  it('stop the query of a client that disconnects', async () => {
    const controller = new AbortController();
    const query = limited()(neverEnds, clientOf('key', controller.signal), 1);
    controller.abort();
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('start no query for a client that has disconnected', async () => {
    const query = limited()(
      () => assert.fail('The query was started'),
      clientOf('key', AbortSignal.abort()),
      1,
    );
    await assert.rejects(query, { name: 'AbortError' });
  });

  it('refuse a query with 503 overloaded when too many bytes wait (D24, D40)', async () => {
    const run = limited({ queriesAtOnce: 1 });
    const controller = new AbortController();
    const open = (length = 100) => clientOf('key', controller.signal, length);
    const first = run(neverEnds, open(), 1).catch((error) => error.name);
    // 16 MiB each: the second one fills the queue.
    const large = () => open(2 ** 20);
    const second = run(neverEnds, large(), 1).catch((error) => error.name);
    await assert.rejects(
      run(async () => 'result', large(), 1),
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
      client,
    );
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false],
    );
    await assert.rejects(
      run(neverEnds, () => assert.fail('Nothing was opened'), client),
      { code: 'query_timeout' },
    );
  });

  it('give each client one stream, beside the permits of queries, until it is sent or fails', async () => {
    const { runQuery, runStream } = start({ queriesAtOnce: 1 });
    const events: string[] = [];
    let finish = () => {};
    const sending = new Promise<void>((resolve) => (finish = resolve));
    const first = runStream(
      async () => {},
      () => sending,
      client,
    );
    const failing = runStream(
      async () => events.push('opened'),
      () => Promise.reject(new Error('broken')),
      client,
    );
    const send = async (client: string) => void events.push(client);
    await runStream(async () => 'other', send, clientOf('other'));
    await runQuery(async () => events.push('query'), client, 1);
    assert.deepEqual(events, ['other', 'query']);
    finish();
    await first;
    await assert.rejects(failing, { message: 'broken' });
    await runStream(async () => 'next', send, client);
    assert.deepEqual(events, ['other', 'query', 'opened', 'next']);
  });
});
