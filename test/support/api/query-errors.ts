import assert from 'node:assert/strict';
import { readQuery } from '../../../api/contract/query.ts';
import { Problem } from '../../../api/problem.ts';

/** What a service answers to a wrong query string: the error of each parameter. */
export function queryErrors(...query: Parameters<typeof readQuery>): Readonly<Record<string, string>> {
  try {
    readQuery(...query);
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.equal(error.code, 'invalid_parameter');
    return Object.fromEntries((error.errors ?? []).map(({ parameter, detail }) => [parameter, detail]));
  }
  return assert.fail(`${query[1]} was accepted`);
}
