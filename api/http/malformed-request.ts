import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { Problem, problemBody } from '../problem.ts';
import { commonHeaders, toRequestId } from './headers.ts';
import { methodNotAllowed } from './http-request.ts';

type ParserError = Error & {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
};

/** How long the client of a refused connection has to close its side before it is disconnected. */
const CLOSE_TIMEOUT_MS = 1000;

/**
 * Sends a problem when Node itself refuses a request, or closes the connection, before Koa sees the request.
 *
 * @param pending responses that are not complete: the problem is sent after those of its connection, so that bytes do not mix
 */
export function handleMalformedRequests(
  server: Server,
  pending: ReadonlySet<ServerResponse>,
  log: Log,
  metrics: Metrics,
): void {
  const refused = new WeakSet<Duplex>();
  const refuse = async (socket: Duplex, problem: Problem) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const earlier = [...pending].filter(({ req }) => req.socket === socket);
    await Promise.all(earlier.map((response) => new Promise((resolve) => response.once('close', resolve))));
    // The last response had `Connection: close`, or the client has disconnected.
    if (!socket.writable) return;
    const requestId = toRequestId(undefined);
    const { status, code, message: detail } = problem;
    socket.end(rawResponse(problem, requestId));
    const timer = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS);
    socket.once('close', () => clearTimeout(timer));
    log.info('malformed request', { requestId, status, code, detail });
    metrics.request({ endpoint: 'other', status, code, seconds: 0, records: 0 });
  };
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || isUnused || !socket.writable) socket.destroy();
    else void refuse(socket, toParserProblem(error));
  });
  server.on('connect', (_, socket) => void refuse(socket, methodNotAllowed('CONNECT is not supported.')));
  // A client sends `Expect` to ask whether to send the body: the response itself answers that.
  for (const event of ['checkContinue', 'checkExpectation'])
    server.on(event, (request, response) => server.emit('request', request, response));
}

function toParserProblem({ code, rawPacket, bytesParsed = 0 }: ParserError): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem('invalid_parameter', 'Request line and headers exceed 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem('invalid_parameter', 'The request did not arrive in time.');
    case 'HPE_INVALID_METHOD':
      // Node's parser knows only registered methods; a request line may name any token (RFC 9110, 9.1).
      if (/^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/1\.[01]\r\n/.test(lineFrom(rawPacket, bytesParsed)))
        return methodNotAllowed('The service serves GET and HEAD.');
  }
  return new Problem('invalid_parameter', 'The request is not valid HTTP/1.1.');
}

/** The text from the start of the line at this offset: a packet can begin with earlier, valid requests. */
function lineFrom(packet: Buffer | undefined, offset: number): string {
  const text = packet?.toString('latin1') ?? '';
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1);
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
