import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { OBSERVATIONS, QUERY, startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
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
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const response = await api.get(`${OBSERVATIONS}?${QUERY}`, { key });
        if (response.status !== 200) {
          // On a busy machine a request may have waited as long as one may (D40).
          assert.ok(performance.now() - started >= 5000);
          await assertProblem(response, 503, 'overloaded');
        }
        return response.status;
      }),
    );
    assert.ok(statuses.filter((status) => status === 200).length > 50, `${statuses}`);
  });
});
