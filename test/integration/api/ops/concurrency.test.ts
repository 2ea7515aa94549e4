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

  it('all get 200 when one professional key sends as many at once as its plan allows', async () => {
    const key = await api.createKey('professional');
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => api.get(`${OBSERVATIONS}?${QUERY}`, { key })),
    );
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  });
});
