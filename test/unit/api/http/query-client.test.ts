import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { mock } from 'node:test';
import type { Context } from 'koa';
import { afterEach, describe, it } from 'mocha';
import { openClient } from '../../../../api/http/query-client.ts';
import { RequestTurns } from '../../../../api/http/request-turns.ts';
import { ResponseMemory } from '../../../../api/ops/response-memory.ts';

describe('a request that has waited for its turn', () => {
  afterEach(() => mock.reset());

  const memory = new ResponseMemory(1000);
  const { signal } = new AbortController();
  /** A request that came some time ago, and is handled now. */
  function handledAfter(ms: number): Context {
    const req = new IncomingMessage(new Socket());
    new RequestTurns().add(req, () => {});
    const later = performance.now() + ms;
    mock.method(performance, 'now', () => later);
    return { url: '/', req, res: new ServerResponse(req) } as unknown as Context;
  }

  it('for five seconds is refused: it would wait for a query or for memory beyond them (D40)', () => {
    const ctx = handledAfter(5100);
    assert.throws(() => openClient(ctx, memory, 'key', signal), { code: 'overloaded' });
  });

  it('for less waits on for the rest of the five seconds', () => {
    const ctx = handledAfter(4900);
    const waited = performance.now() - openClient(ctx, memory, 'key', signal).memory.since;
    assert.ok(waited >= 4900 && waited < 5000, String(waited));
  });
});
