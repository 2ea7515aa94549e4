import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export type OpenSocket = { readonly socket: Socket; readonly closed: Promise<void>; isOpen(): boolean };

/** A connection. `reads: false` leaves what arrives in the buffers of the kernel. */
export function openSocket(
  url: string,
  { reads = true, address }: { readonly reads?: boolean; readonly address?: string } = {},
): OpenSocket {
  const { hostname, port } = new URL(url);
  const from = address === undefined ? {} : { localAddress: address };
  const socket = connect({ host: hostname, port: Number(port), ...from });
  let isOpen = true;
  socket.on('error', () => {});
  if (reads) socket.resume();
  const closed = new Promise<void>((resolve) =>
    socket.once('close', () => {
      isOpen = false;
      resolve();
    }),
  );
  return { socket, closed, isOpen: () => isOpen };
}

export function openSockets(
  count: number,
  url: string,
  options: Parameters<typeof openSocket>[1] = {},
): readonly OpenSocket[] {
  return Array.from({ length: count }, () => openSocket(url, options));
}

export function closeAll(sockets: readonly OpenSocket[]): void {
  for (const { socket } of sockets) socket.destroy();
}

export function head(path: string, key?: string, more = ''): string {
  const credentials = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${credentials}${more}\r\n`;
}

export const OBSERVATIONS = '/v1/history/observations';
/** A page of 1,000 records of the archive of `archive.ts`. */
export const PAGE = `${OBSERVATIONS}?stations=XAAA,XAAB&from=2023-01-01T00:00:00Z&to=2024-01-01T00:00:00Z`;
/** The largest page, about 3 MB. */
export const LARGE_PAGE = `${OBSERVATIONS}?stations=XAAA,XAAB,XAAC,XAAD&from=2023-01-01T00:00:00Z&to=2024-01-01T00:00:00Z&limit=10000&include=raw,decoded`;
export const SMALL_PAGE = `${PAGE}&limit=5`;

/** A client that waits longer has met a hang. */
const ANSWER_TIMEOUT_MS = 20_000;

export type Answer = {
  /** 0 where there was no answer. */
  readonly status: number;
  /** Status and code of the problem, or the error of the connection. */
  readonly label: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly ms: number;
};

export type ClientRequest = {
  readonly path?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of the client: one of 127.0.0.0/8. Requests without a key count against it. */
  readonly address?: string;
  readonly agent?: Agent;
  /** Reads a good answer without keeping it: this client measures the server, not itself. */
  readonly dropsBody?: boolean;
};

/** Sends one request; a failure of the connection is an answer too. */
export function send(url: string, options: ClientRequest = {}): Promise<Answer> {
  const { path = SMALL_PAGE, key, headers = {}, address, agent = false, dropsBody = false } = options;
  const started = performance.now();
  return new Promise((resolve) => {
    const fail = (label: string) =>
      resolve({ status: 0, label, headers: {}, body: '', ms: performance.now() - started });
    const { hostname, port } = new URL(url);
    const sent = request(
      {
        hostname,
        port,
        path,
        agent,
        headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
        ...(address === undefined ? {} : { localAddress: address }),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      },
      async (response) => {
        try {
          const chunks: Buffer[] = [];
          const isKept = !dropsBody || response.statusCode !== 200;
          for await (const chunk of response) if (isKept) chunks.push(chunk);
          const body = Buffer.concat(chunks).toString();
          const status = response.statusCode ?? 0;
          const ms = performance.now() - started;
          resolve({ status, label: labelOf(status, body), headers: response.headers, body, ms });
        } catch {
          fail('response broken off');
        }
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.name === 'AbortError' || error.name === 'TimeoutError'
          ? 'no answer'
          : (error.code ?? error.message),
      ),
    );
    sent.end();
  });
}

export function keepAlive(): Agent {
  return new Agent({ keepAlive: true });
}

function labelOf(status: number, body: string): string {
  if (status < 400) return String(status);
  try {
    return `${status} ${(JSON.parse(body) as { code: string }).code}`;
  } catch {
    return String(status);
  }
}
