import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { commonHeaders, requestIdOf } from './headers.ts';
import { Problem, problemBody } from './problem.ts';

const ALLOWED = { headers: { Allow: 'GET, HEAD, OPTIONS' } };

/** As Node reports it: the parser's verdict and the bytes it met. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Answers in our own form what Node would refuse itself, or hang up on: requests that never reach Koa. */
export function handleMalformedRequests(server: Server, log: Log, metrics: Metrics): void {
  const answering = new WeakSet<Duplex>();
  server.on('request', (_, response) => {
    const { socket } = response;
    if (socket === null) return;
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
  });

  const refuse = (socket: Duplex, problem: Problem) => {
    const requestId = requestIdOf(undefined);
    socket.end(rawAnswer(problem, requestId));
    log('info', 'unreadable', {
      requestId,
      status: problem.status,
      code: problem.code,
      detail: problem.message,
    });
    metrics.request({ status: problem.status, code: problem.code, seconds: 0, records: 0 });
  };
  server.on('clientError', (error: ParserError, socket) => {
    // Nobody is there to read, or an answer to an earlier request is half sent and must not be written into.
    if (error.code === 'ECONNRESET' || !socket.writable || answering.has(socket)) socket.destroy();
    else refuse(socket, problemOf(error));
  });
  server.on('connect', (_, socket) =>
    refuse(socket, new Problem('method_not_allowed', 'This is no proxy.', ALLOWED)),
  );
  // `Expect` asks whether to send a body: the answer itself says so.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response));
}

function problemOf({ code, rawPacket }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('invalid_parameter', 'Request line and headers exceed 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('invalid_parameter', 'The request did not arrive in time.');
    case 'HPE_INVALID_METHOD':
      // Node's parser knows the registered methods only; a request line may name any token (RFC 9110, 9.1).
      if (/^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(rawPacket?.toString('latin1') ?? ''))
        return new Problem('method_not_allowed', 'The service serves GET and HEAD.', ALLOWED);
  }
  return new Problem('invalid_parameter', 'The request is not readable as HTTP/1.1.');
}

function rawAnswer(problem: Problem, requestId: string): string {
  const body = problemBody(problem, requestId);
  const headers = {
    ...commonHeaders(requestId),
    ...problem.headers,
    Date: new Date().toUTCString(),
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, '', body].join('\r\n');
}
