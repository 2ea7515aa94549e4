import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listenOnFreePort } from './listen.ts';

type ProxiedAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** What the client gets in place of an answer of ClickHouse to a statement. */
type Change = (answer: ProxiedAnswer, statement: string) => ProxiedAnswer;

/** What a proxy answers while it cannot reach ClickHouse: a page of its own. */
export const BAD_GATEWAY: Change = () => ({
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: Buffer.from('<html><head><title>502 Bad Gateway</title></head></html>'),
});

/** Forwards requests to ClickHouse. What `change` makes of an answer has its own length, so its framing is sound. */
export type ClickHouseProxy = {
  readonly url: string;
  change: Change | undefined;
  stop(): Promise<void>;
};

const DROPPED = new Set(['connection', 'transfer-encoding', 'content-length', 'keep-alive', 'host']);

export async function startClickHouseProxy(clickhouseUrl: string): Promise<ClickHouseProxy> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const upstream = await fetch(clickhouseUrl + request.url, {
      method: 'POST',
      headers: { ...passed(request.headers), 'accept-encoding': 'identity' },
      body,
    });
    const answer = {
      status: upstream.status,
      headers: passed(Object.fromEntries(upstream.headers)),
      body: Buffer.from(await upstream.arrayBuffer()),
    };
    const { searchParams } = new URL(request.url ?? '/', clickhouseUrl);
    const statement = searchParams.get('query') ?? body.toString();
    const changed = proxy.change?.(answer, statement) ?? answer;
    response.writeHead(changed.status, { ...changed.headers, 'content-length': changed.body.length });
    response.end(changed.body);
  });
  const proxy: ClickHouseProxy = {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    change: undefined,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function passed(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !DROPPED.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
