import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { commonHeaders, toRequestId } from './headers.ts';
import { methodNotAllowed } from './http-request.ts';
import { Problem, problemBody } from './problem.ts';

/** Node's parser error, with the bytes that it could not parse. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

/** Sends a problem where Node refuses a request by itself, or closes the connection, before Koa sees the request. */
export function handleMalformedRequests(server: Server, log: Log, metrics: Metrics): void {
  const responding = new WeakSet<Duplex>();
  server.on('request', (_, response) => {
    const { socket } = response;
    if (socket === null) return;
    responding.add(socket);
    response.once('close', () => responding.delete(socket));
  });

  const refuse = (socket: Duplex, problem: Problem) => {
    const requestId = toRequestId(undefined);
    const { status, code, message: detail } = problem;
    socket.end(rawResponse(problem, requestId));
    log('info', 'malformed request', { requestId, status, code, detail });
    metrics.request({ status, code, seconds: 0, records: 0 });
  };
  server.on('clientError', (error: ParserError, socket) => {
    // While the response to an earlier request is half sent, nothing may be written between its bytes.
    if (error.code === 'ECONNRESET' || !socket.writable || responding.has(socket)) socket.destroy();
    else refuse(socket, toParserProblem(error));
  });
  server.on('connect', (_, socket) => refuse(socket, methodNotAllowed('CONNECT is not supported.')));
  // A client sends `Expect` to ask whether it should send the body: the response itself tells it.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response));
}

function toParserProblem({ code, rawPacket }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('invalid_parameter', 'Request line and headers exceed 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('invalid_parameter', 'The request did not arrive in time.');
    case 'HPE_INVALID_METHOD':
      // Node's parser knows the registered methods only; a request line may name any token (RFC 9110, 9.1).
      if (/^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(rawPacket?.toString('latin1') ?? ''))
        return methodNotAllowed('The service serves GET and HEAD.');
  }
  return new Problem('invalid_parameter', 'The request is not valid HTTP/1.1.');
}

function rawResponse(problem: Problem, requestId: string): string {
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
