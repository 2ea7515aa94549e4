import assert from 'node:assert/strict';
import type { TestApi } from './api.ts';

/** One service for all tests of the `describe` block that calls this. Its properties can be read in tests and hooks. */
export function useApi<T extends TestApi>(start: () => Promise<T>): T {
  let api: T | undefined;
  before(async () => {
    api = await start();
  });
  after(() => api?.stop());
  const started = () => api ?? assert.fail('The service runs in tests and hooks only');
  return new Proxy({} as T, { get: (_, name) => started()[name as keyof T] });
}
