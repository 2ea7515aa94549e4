import assert from 'node:assert/strict';
import { openResponseCache } from '../../../../api/answers/memory.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import type { ArchiveQueries } from '../../../../api/ops/query-limits.ts';
import { questionOf, STATISTICS } from '../../../../api/statistics/endpoint.ts';
import { readAnswer } from '../../../../api/statistics/route.ts';
import { CoverageStateCache } from '../../../../clickhouse/coverage/state-cache.ts';
import { CLIENT, MB } from '../../../support/api/page-readers.ts';
import { insert, NO_LIMIT, put, report, useArchive } from '../../../support/archive/archive.ts';
import { list } from '../../../support/archive/ledger.ts';

describe('the reader of statistics', () => {
  const archive = useArchive();
  const write = (station: string, at: string) =>
    insert(archive.client, put(report({ at, station, raw: `METAR ${station} ${at}` })));
  before(async () => {
    await list(archive.client, { station: 'XAAA' });
    await write('XAAA', '2024-01-01T00:00:00Z');
  });

  it('reads rows once, after the changes of its stations, and keeps them in memory; waits for memory once', async () => {
    let clock = 0;
    let statements = 0;
    const client = {
      ...archive.client,
      select: ((select, signal) => {
        if (select.file?.name === 'calendar') statements += 1;
        return archive.client.select(select, signal);
      }) satisfies typeof archive.client.select,
    };
    const states = new CoverageStateCache(client, () => clock);
    const cache = openResponseCache(MB);
    const reserved: number[] = [];
    const queries: Pick<ArchiveQueries, 'runQuery'> = {
      runQuery(work, _client, bytes) {
        reserved.push(bytes);
        return work(client, NO_LIMIT);
      },
    };
    const service = { states, queries, cache };

    /** How many reports the first hours of a day have, and by how many statements. */
    const ask = async (hours: number) => {
      statements = 0;
      clock += 1000;
      const to = `2024-01-01T${String(hours).padStart(2, '0')}:00:00Z`;
      const query = new URLSearchParams({
        stations: 'XAAA',
        from: '2024-01-01T00:00:00Z',
        to,
        select: 'count',
      });
      const { values, filtersKey } = readQuery(STATISTICS, `${query}`);
      const { rows } = await readAnswer(
        service,
        { ...questionOf(values), filtersKey, format: 'json' },
        CLIENT,
      );
      return { n: JSON.parse(rows.text.toString()).n, statements };
    };

    assert.deepEqual(await ask(5), { n: 1, statements: 1 });
    // All of it before the first statement.
    assert.deepEqual(
      reserved.map((bytes) => bytes > 0),
      [true, false],
    );
    await write('XBBB', '2024-01-01T01:00:00Z');
    assert.deepEqual(await ask(7), { n: 1, statements: 1 }, 'another station has changed');
    await write('XAAA', '2024-01-01T01:00:00Z');
    assert.deepEqual(await ask(8), { n: 2, statements: 1 }, 'its station has changed');
    assert.deepEqual(await ask(8), { n: 2, statements: 0 }, 'the answer is in memory');
  });
});
