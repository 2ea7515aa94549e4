import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export type Login = { readonly username: string; readonly password: string };

export type HttpResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From the start of the request to the last byte of the response. */
  readonly ms: number;
};

/** A response whose bytes were not kept. */
export type Download = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  /** From the start of the request to the last byte of the response. */
  readonly ms: number;
};

export type DownloadRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A POST request with this body, else a GET request. */
  readonly body?: string;
};

/** One server over persistent connections. The api and the engine are measured with this same client. */
export type HttpClient = {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>;
  /** Sends a statement to ClickHouse; `settings` is the query string. Throws when the statement fails. */
  query(statement: string, settings?: string): Promise<HttpResponse>;
  /** The text of the response without the line end. */
  command(statement: string): Promise<string>;
  /** Passes each piece of the response to `onChunk`. Throws when the response breaks off. */
  download(request: DownloadRequest, onChunk?: (chunk: Buffer) => void): Promise<Download>;
  /** For results that do not fit into memory. */
  stream(statement: string, settings?: string): Promise<IncomingMessage>;
  close(): void;
};

export function openHttpClient(url: string, login?: Login): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  const auth = login && `${login.username}:${login.password}`;

  function send(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, path, method, headers, auth }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  }

  function post(statement: string, settings: string): Promise<IncomingMessage> {
    const headers = { 'content-length': String(Buffer.byteLength(statement)) };
    return send('POST', `/?${settings}`, headers, statement);
  }

  async function query(statement: string, settings = ''): Promise<HttpResponse> {
    const started = performance.now();
    const response = await readBody(await post(statement, settings), started);
    if (response.status !== 200) throw failure(statement, response.body);
    return response;
  }

  return {
    query,
    async get(path, headers = {}) {
      const started = performance.now();
      return readBody(await send('GET', path, headers), started);
    },
    async command(statement) {
      return (await query(statement)).body.toString().trimEnd();
    },
    async download({ path, headers, body }, onChunk) {
      const started = performance.now();
      const response = await send(body === undefined ? 'GET' : 'POST', path, headers, body);
      let bytes = 0;
      await consume(response, (chunk) => {
        bytes += chunk.length;
        onChunk?.(chunk);
      });
      const ms = performance.now() - started;
      return { status: response.statusCode ?? 0, headers: response.headers, bytes, ms };
    },
    async stream(statement, settings = '') {
      const started = performance.now();
      const response = await post(statement, settings);
      if (response.statusCode === 200) return response;
      throw failure(statement, (await readBody(response, started)).body);
    },
    close: () => agent.destroy(),
  };
}

async function readBody(response: IncomingMessage, started: number): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  await consume(response, (chunk) => chunks.push(chunk));
  const ms = performance.now() - started;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks),
    ms,
  };
}

function consume(response: IncomingMessage, onChunk: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    response.on('data', onChunk);
    response.on('error', reject);
    response.on('end', resolve);
  });
}

function failure(statement: string, body: Buffer): Error {
  return new Error(`${statement.slice(0, 200)}: ${body}`);
}
