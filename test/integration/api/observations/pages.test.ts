import assert from 'node:assert/strict';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';

/** Walks, cursors, and the order of records are in `ranges.test.ts`. */
describe('pages of observations', () => {
  const hours = Array.from({ length: 72 }, (_, hour) => new Date(Date.UTC(2024, 0, 30, hour)).toISOString());
  const api = useApi(() => startApiWithReports(hours.map((at) => report({ at }))));
  const getPage = (query: string) => api.json<ObservationsPage>(`${OBSERVATIONS}?stations=XAAA&${query}`);

  it('include from and exclude to', async () => {
    for (const [more, expected] of [
      ['', '2024-01-30T01:00:00Z'],
      ['.001', '2024-01-30T02:00:00Z'],
    ]) {
      const { data } = await getPage(`from=2024-01-30T01:00:00${more}Z&to=2024-01-30T02:00:00${more}Z`);
      assert.deepEqual(
        data.map(({ observedAt }) => observedAt),
        [expected],
      );
    }
  });

  it('have the representations that include selects (D7, D10, D21)', async () => {
    const names = ['id', 'observedAt', 'parseStatus', 'station', 'type'];
    for (const [include, more, parseStatus] of [
      ['', ['raw'], 'raw_only'],
      ['&include=raw', ['raw'], 'raw_only'],
      ['&include=decoded', ['decoded'], 'parsed'],
      ['&include=decoded,raw', ['decoded', 'raw'], 'parsed'],
    ] as const) {
      const [first] = (await getPage(`from=2024-01-30&to=2024-01-31&limit=1${include}`)).data;
      assert.deepEqual(Object.keys(first ?? {}).sort(), [...names, ...more].sort(), include);
      assert.equal(first?.parseStatus, parseStatus);
    }
  });

  it('are empty with coverage none where the archive has no report', async () => {
    for (const range of [
      'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
      'from=2190-01-01T00:00:00Z&to=2191-01-01T00:00:00Z',
      'from=0000-01-01T00:00:00Z&to=0001-01-01T00:00:00Z',
      'from=9999-01-01T00:00:00Z&to=9999-12-31T23:59:59.9999Z',
    ]) {
      const { data, meta } = await getPage(range);
      assert.deepEqual(data, []);
      assert.deepEqual([meta.hasMore, meta.coverage.status], [false, 'none']);
    }
    const whole = await getPage('from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z');
    assert.equal(whole.data.length, hours.length);
  });
});
