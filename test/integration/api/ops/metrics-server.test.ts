import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startApiWithoutArchive, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';

describe('METRICS_PORT', () => {
  let api: TestApi;
  before(async () => {
    api = await startApiWithoutArchive({ metricsPort: 0 });
  });
  after(() => api.stop());

  it('serves the metrics on a port of their own, and no longer on the public one', async () => {
    await assertProblem(await api.get('/metrics'), 404, 'not_found');
    const response = await fetch(api.metricsUrl);
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(
      await response.text(),
      /^history_requests_total\{endpoint="\w+",plan="professional",format="\w+",status="404",code="not_found"\} 1$/m,
    );
    assert.equal((await fetch(api.metricsUrl, { method: 'HEAD' })).status, 200);
  });

  it('serves nothing else there', async () => {
    assert.equal((await fetch(new URL('/v1/history/observations', api.metricsUrl))).status, 404);
    assert.equal((await fetch(api.metricsUrl, { method: 'POST' })).status, 405);
  });

  it('is released when the service stops', async () => {
    const other = await startApiWithoutArchive({ metricsPort: 0 });
    await other.stop();
    await assert.rejects(fetch(other.metricsUrl));
  });
});
