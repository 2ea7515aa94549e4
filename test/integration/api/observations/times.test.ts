import assert from 'node:assert/strict';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { readCsv } from '../../../support/archive/flat-records.ts';

/** Every ten minutes of the last three days, the newest in the current minute. */
const now = Math.floor(Date.now() / 60_000) * 60_000;
const TIMES = Array.from(
  { length: 432 },
  (_, n) => `${new Date(now - n * 600_000).toISOString().slice(0, 19)}Z`,
);
const dayAgo = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);

describe('the range of observations (D81)', () => {
  const api = useApi(() => startApiWithReports(TIMES.map((at) => report({ at }))));
  const read = (query: string) => api.json<ObservationsPage>(`${OBSERVATIONS}?stations=XAAA&${query}`);
  const timesOf = ({ data }: ObservationsPage) => data.map(({ observedAt }) => observedAt);

  it('may be dates, which are days of UTC, in every format', async () => {
    const expected = TIMES.filter((at) => at.startsWith(dayAgo(1))).toReversed();
    const query = `from=${dayAgo(1)}&to=${dayAgo(0)}`;
    assert.deepEqual(timesOf(await read(query)), expected);
    const csv = readCsv(await api.bytes(`${OBSERVATIONS}.csv?stations=XAAA&${query}`));
    assert.deepEqual(
      csv.map(({ observedAt }) => observedAt),
      expected,
    );
  });

  it('may be the last hours, with the current minute', async () => {
    const expected = TIMES.slice(0, 12).toReversed();
    // A minute can pass between the reports and the request.
    const isRight = (times: readonly string[]) =>
      assert.ok(
        [0, 1].some((n) => times.join() === expected.slice(n).join()),
        times.join(),
      );
    isRight(timesOf(await read('hours=2')));
    const response = await api.get(`${OBSERVATIONS}.csv?stations=XAAA&hours=2`);
    assert.match(
      response.headers.get('link') ?? '',
      /coverage\?stations=XAAA&from=[^&]+%3A00Z&to=[^&]+%3A00Z>/,
    );
    isRight(readCsv(Buffer.from(await response.arrayBuffer())).map(({ observedAt = '' }) => observedAt));
    await insert(api.archive, put(report({ at: TIMES[0] as string, raw: 'METAR XAAA of this minute' })));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    assert.equal(timesOf(await read('hours=2')).filter((at) => at === TIMES[0]).length, 2);
  });

  it('of a walk are the hours of its first page', async () => {
    for (const order of ['asc', 'desc']) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const page = await read(`hours=5&order=${order}&limit=7${cursor}`);
        seen.push(...timesOf(page));
        if (!page.meta.hasMore) break;
        const { nextCursor = '' } = page.meta;
        const { to } = JSON.parse(Buffer.from(nextCursor, 'base64url').toString().replace(/\].*/s, ']'))[2];
        assert.ok(Math.abs(to * 1000 - Date.now()) < 120_000, `${to}`);
        cursor = `&cursor=${nextCursor}`;
      }
      const whole = await read(`hours=5&order=${order}`);
      assert.ok(Math.abs(seen.length - whole.data.length) <= 1 && new Set(seen).size >= 29, `${seen.length}`);
    }
    const { meta } = await read('hours=5&limit=1');
    const other = await api.get(`${OBSERVATIONS}?stations=XAAA&hours=6&limit=1&cursor=${meta.nextCursor}`);
    await assertProblem(other, 400, 'cursor_mismatch');
  });
});
