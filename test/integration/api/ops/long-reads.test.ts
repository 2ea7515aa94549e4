import assert from 'node:assert/strict';
import type { Select, StatementSettings } from '../../../../clickhouse/archive.ts';
import { QUERY, startApi, useApi } from '../../../support/api/api.ts';
import { insert, NO_LIMIT, put, report, useArchive } from '../../../support/archive/archive.ts';

/** What the engine has of the statement that asks: a lower number goes first; 0 neither waits nor is waited for. */
const OWN = `
  SELECT
    toUInt32OrZero(Settings['priority']) AS priority,
    toUInt32OrZero(Settings['low_priority_query_wait_time_ms']) AS waitMs
  FROM system.processes WHERE query_id = queryID() FORMAT JSONEachRow`;

type Precedence = { readonly priority: number; readonly waitMs: number };

describe('the precedence of statements', () => {
  const archive = useArchive();
  let sent: (StatementSettings | undefined)[];
  before(async () => {
    await insert(archive.client, put(report({ at: '2024-01-01T00:51:00Z', station: 'XAAA' })));
  });
  const api = useApi(() => {
    const { select, stream } = archive.client;
    const record = <R>(run: (statement: Select, signal?: AbortSignal) => R): typeof run => {
      return (statement, signal) => {
        sent.push(statement.settings);
        return run(statement, signal);
      };
    };
    return startApi({ ...archive.client, select: record(select), stream: record(stream) });
  });

  /** Of the statements of a request, the first of them first. */
  async function precedencesOf(target: string): Promise<readonly Precedence[]> {
    sent = [];
    await api.bytes(target);
    const settings = sent.filter((each) => each !== undefined);
    const answers = settings.map((each) =>
      archive.client.select({ query: OWN, settings: { ...each, wait_end_of_query: 1 } }, NO_LIMIT),
    );
    return (await Promise.all(answers)).map((answer) => JSON.parse(answer.toString()) as Precedence);
  }

  for (const target of ['observations', 'hourly'])
    it(`is the first for a page of ${target}`, async () => {
      const precedences = await precedencesOf(`/v1/history/${target}?${QUERY}`);
      assert.ok(precedences.length > 0);
      for (const { priority } of precedences) assert.equal(priority, 1);
    });

  for (const [target, more] of [
    ...['csv', 'ndjson', 'parquet', 'arrow'].map((format) => [`observations.${format}`, ''] as const),
    ['hourly.csv', ''],
    ['statistics', '&select=count'],
  ] as const)
    it(`lets statements for pages go before the rows of ${target}, for some milliseconds at a time`, async () => {
      const precedences = await precedencesOf(`/v1/history/${target}?${QUERY}${more}`);
      const rows = precedences.filter(({ priority }) => priority !== 1);
      assert.ok(rows.length > 0);
      for (const { priority, waitMs } of rows) {
        assert.ok(priority > 1, String(priority));
        assert.ok(waitMs > 0 && waitMs <= 100, String(waitMs));
      }
    });
});
