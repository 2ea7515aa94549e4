import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { beginBody, decodedBody, readForm } from './body.ts';
import { type Engine, EngineClosed } from './engine.ts';
import { ClickHouseException, describeFailure } from './exception.ts';
import { readRequest, targetOf } from './request.ts';
import { sendAnswer, sendFailure } from './respond.ts';

/** Answers a path of the engine's own; false leaves the request to ClickHouse's interface. */
export type OwnPaths = (message: IncomingMessage, response: ServerResponse) => boolean;

/**
 * ClickHouse's HTTP interface over an engine, as far as the official client uses it. What a server has and this
 * has not: users and roles, `system.query_log`, external tables, the native compression of `compress=1`, and
 * progress while a query runs (in headers, and ahead of the rows of JSONEachRowWithProgress).
 */
export function createInterface(engine: Engine, ownPaths: OwnPaths): Server {
  // A list of 1,000 stations makes a URL of 13 kB, and lists may come several times over.
  const server = createServer({ maxHeaderSize: 1024 * 1024, keepAliveTimeout: 30_000, requestTimeout: 0 });
  server.on('request', (message, response) => {
    if (!comesFromProgram(message)) {
      response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Not for web pages.\n');
      return;
    }
    if (ownPaths(message, response)) return;
    const path = message.url?.split('?', 1)[0];
    const isQuery = path === '/' && (message.method === 'POST' || message.url?.includes('query='));
    if (isQuery) void answer(engine, message, response);
    else if (path === '/' || path === '/ping' || path === '/replicas_status') response.end('Ok.\n');
    else response.writeHead(404, { 'Content-Type': 'text/plain' }).end(`There is no handle ${path}\n`);
  });
  return server;
}

// The engine reads and writes files as its user and asks for no password: a page open in a browser on this
// machine must not reach it, neither across origins nor under a name of its own that resolves to 127.0.0.1.
function comesFromProgram(message: IncomingMessage): boolean {
  const host = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i;
  return message.headers.origin === undefined && host.test(message.headers.host ?? 'localhost');
}

async function answer(engine: Engine, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const describe = (error: unknown) => describeFailure(error, engine.version);
  const queryId = targetOf(message).searchParams.get('query_id') || randomUUID();
  response.on('close', () => {
    if (!response.writableFinished) void engine.cancel(queryId).catch(() => {});
  });
  try {
    response.setHeader('X-ClickHouse-Query-Id', queryId);
    response.setHeader('X-ClickHouse-Server-Display-Name', 'embedded');
    response.setHeader('X-ClickHouse-Timezone', engine.timezone);
    const isForm = /^multipart\/form-data/i.test(message.headers['content-type'] ?? '');
    const form = isForm ? await readForm(message) : undefined;
    const request = readRequest(message, form);
    const body = await beginBody(request.query, isForm ? nothing() : decodedBody(message));
    if (body.head.length === 0) throw new ClickHouseException(62, 'SYNTAX_ERROR', 'Empty query');
    const isWanted = () => !response.destroyed;
    await engine.answer(request, body, queryId, isWanted, (ready) =>
      sendAnswer(message, response, ready, describe),
    );
  } catch (error) {
    if (error instanceof EngineClosed || response.headersSent) response.destroy();
    else await sendFailure(message, response, describe(error)).catch(() => {});
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}
