import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PATHS } from '../../../../api/docs/openapi/paths.ts';
import { endpointOf } from '../../../../api/ops/endpoints.ts';

describe('endpoints of the metrics', () => {
  it('are few, whatever is requested', () => {
    const EXPECTED = {
      '/v1/history/observations': 'observations',
      '/v1/history/observations.parquet': 'observations',
      '/v1/history/statistics.csv': 'statistics',
      '/v1/history/archive': 'archive',
      '/v1/history/x': 'other',
      '/v1/history/observations/': 'other',
      '/': 'documents',
      '/docs': 'documents',
      '/docs/errors/internal': 'documents',
      '/assets/x': 'documents',
      '/readyz': 'operations',
      '/docsx': 'other',
      '/wp-login.php': 'other',
    };
    for (const [path, endpoint] of Object.entries(EXPECTED)) assert.equal(endpointOf(path), endpoint, path);
  });

  it('have each path that is described', () => {
    for (const path of Object.keys(PATHS)) assert.notEqual(endpointOf(path), 'other', path);
  });
});
