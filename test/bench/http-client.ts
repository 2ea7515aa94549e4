import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** From the request to the last byte of the answer. */
  readonly ms: number;
};

/** One server over connections that are kept, by the plainest client that Node has: what it costs is on both sides. */
export type Asker = {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Sends a statement to ClickHouse; settings and format go in the query string. Throws when it fails. */
  query(statement: string, settings?: string): Promise<Answer>;
  command(statement: string): Promise<string>;
  close(): void;
};

export function openAsker(url: string): Asker {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);

  function ask(path: string, headers: Readonly<Record<string, string>>, statement?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const method = statement === undefined ? 'GET' : 'POST';
      const asked = request({ agent, hostname, port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const ms = performance.now() - started;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
            ms,
          });
        });
      });
      asked.on('error', reject);
      asked.end(statement);
    });
  }

  async function query(statement: string, settings = ''): Promise<Answer> {
    const length = String(Buffer.byteLength(statement));
    const answer = await ask(`/?${settings}`, { 'content-length': length }, statement);
    if (answer.status !== 200) throw new Error(`${statement.slice(0, 200)}: ${answer.body}`);
    return answer;
  }

  return {
    get: (path, headers = {}) => ask(path, headers),
    query,
    command: async (statement) => (await query(statement)).body.toString().trimEnd(),
    close: () => agent.destroy(),
  };
}
