import assert from 'node:assert/strict';
import type { JoinedEngine } from '../../../clickhouse/embedded/join.ts';
import { authorizationOf, type Login } from '../../../clickhouse/embedded/users.ts';

type Answer = { readonly status: number; readonly code: string | null; readonly text: string };

/** Requests to an engine that may start again while the tests run. */
export function requestsOf(engine: () => JoinedEngine) {
  async function send(
    path: string,
    headers: Readonly<Record<string, string>>,
    statement?: string,
  ): Promise<Answer> {
    const init = { headers, ...(statement === undefined ? {} : { method: 'POST', body: statement }) };
    const response = await fetch(engine().url + path, init);
    const code = response.headers.get('x-clickhouse-exception-code');
    return { status: response.status, code, text: await response.text() };
  }
  const as = (login: Login, statement: string, path = '/') =>
    send(path, { authorization: authorizationOf(login) }, statement);
  /** @param code the error code of ClickHouse */
  async function assertRefused(login: Login, code: number, statement: string): Promise<void> {
    const answer = await as(login, statement);
    assert.equal(answer.code, String(code), `${login.username}: ${statement}: ${answer.text}`);
  }
  return { send, as, assertRefused };
}
