import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

type Headers = Readonly<Record<string, string>>;

/** A response whose bytes were not kept. */
export type Download = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  /** From the start of the request to the last byte of the response. */
  readonly ms: number;
};

export type HttpResponse = Download & { readonly body: Buffer };

/** One server over persistent connections. The api and the engine are measured with this same client. */
export type HttpClient = {
  get(path: string, headers?: Headers): Promise<HttpResponse>;
  /** Passes each piece of the response to `onChunk`. Throws when the response breaks off. */
  download(path: string, headers: Headers, onChunk?: (chunk: Buffer) => void): Promise<Download>;
  /** Sends a statement to ClickHouse; `settings` is the query string. Throws when the statement fails. */
  query(statement: string, settings?: string): Promise<HttpResponse>;
  /** The text of the response without the line end. */
  command(statement: string): Promise<string>;
  /** For results that do not fit into memory. */
  stream(statement: string, settings?: string): Promise<IncomingMessage>;
  close(): void;
};

export function openHttpClient(
  url: string,
  login?: { readonly username: string; readonly password: string },
): HttpClient {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  const auth = login && `${login.username}:${login.password}`;
  const send = (path: string, headers: Headers, body?: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request({ agent, hostname, port, path, method, headers, auth }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
  const post = (statement: string, settings: string) =>
    send(`/?${settings}`, { 'content-length': String(Buffer.byteLength(statement)) }, statement);
  const query = async (statement: string, settings = '') => {
    const response = await keepBody(performance.now(), post(statement, settings));
    if (response.status !== 200) throw new Error(`${statement.slice(0, 200)}: ${response.body}`);
    return response;
  };
  return {
    query,
    get: (path, headers = {}) => keepBody(performance.now(), send(path, headers)),
    download: (path, headers, onChunk) => read(performance.now(), send(path, headers), onChunk),
    command: async (statement) => (await query(statement)).body.toString().trimEnd(),
    async stream(statement, settings = '') {
      const response = await post(statement, settings);
      if (response.statusCode === 200) return response;
      throw new Error(`${statement.slice(0, 200)}: ${(await keepBody(0, Promise.resolve(response))).body}`);
    },
    close: () => agent.destroy(),
  };
}

async function keepBody(started: number, coming: Promise<IncomingMessage>): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  const response = await read(started, coming, (chunk) => chunks.push(chunk));
  return { ...response, body: Buffer.concat(chunks) };
}

async function read(
  started: number,
  coming: Promise<IncomingMessage>,
  onChunk?: (chunk: Buffer) => void,
): Promise<Download> {
  const response = await coming;
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      onChunk?.(chunk);
    });
    response.on('error', reject);
    response.on('end', resolve);
  });
  const ms = performance.now() - started;
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, ms };
}
