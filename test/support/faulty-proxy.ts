import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { listenOnFreePort } from './listen.ts';

/**
 * `silence`: no response; `reset`: the connection is reset before the response; `cut`: the connection is closed within
 * the body; otherwise a response of the proxy itself.
 */
type ProxyFault =
  | 'silence'
  | 'reset'
  | 'cut'
  | { readonly status: number; readonly retryAfter?: string; readonly location?: string };

/** The headers of responses that reach the client. */
const PASSED = /^(content-type|content-range|retry-after|x-.*)$/;

/** Forwards GET and HEAD requests to the service. Each request takes the next fault, while there are any. */
export type FaultyProxy = {
  readonly url: string;
  readonly faults: (ProxyFault | undefined)[];
  /** Targets of all requests so far. */
  readonly targets: readonly string[];
  stop(): Promise<void>;
};

export async function startFaultyProxy(serviceUrl: string): Promise<FaultyProxy> {
  const faults: (ProxyFault | undefined)[] = [];
  const targets: string[] = [];
  const server = createServer(async ({ method = 'GET', url = '/', headers }, response) => {
    targets.push(url);
    const fault = faults.shift();
    if (fault === 'silence') return;
    if (typeof fault === 'object') return sendStatus(response, fault);
    if (fault === 'reset') return void response.socket?.resetAndDestroy();
    const { authorization = '', accept = '*/*', range } = headers;
    const sent = { authorization, accept, ...(range !== undefined && { range }) };
    const upstream = await fetch(serviceUrl + url, { method, headers: sent });
    const body = Buffer.from(await upstream.arrayBuffer());
    const passed = [...upstream.headers].filter(([name]) => PASSED.test(name));
    response.writeHead(upstream.status, {
      ...Object.fromEntries(passed),
      'content-length': method === 'HEAD' ? Number(upstream.headers.get('content-length')) : body.length,
    });
    if (fault === 'cut') response.write(body.subarray(0, body.length / 2), () => response.destroy());
    else response.end(body);
  });
  return {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    faults,
    targets,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendStatus(
  response: ServerResponse,
  { status, retryAfter, location }: Exclude<ProxyFault, string>,
): void {
  if (location !== undefined) response.setHeader('Location', location);
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Proxy</h1>');
}
