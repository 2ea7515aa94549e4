import { createServer, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { listenOnFreePort } from '../../support/listen.ts';
import type { DownloadRequest } from '../http-client.ts';

/** Stands between the api and the engine, and keeps the statements that the api sends. */
export type StatementRecorder = {
  readonly url: string;
  /** The statements since the last call. */
  take(): readonly RecordedStatement[];
  close(): void;
};

/** What it takes to send the statement again. */
export type RecordedStatement = Required<DownloadRequest>;

const REPEATED_HEADERS = ['authorization', 'accept-encoding', 'content-type'] as const;

export async function recordStatements(engineUrl: string): Promise<StatementRecorder> {
  let statements: RecordedStatement[] = [];
  const { hostname, port } = new URL(engineUrl);
  const server = createServer(async (req, res) => {
    const { method, url: path = '/', headers } = req;
    const body = await buffer(req);
    if (method === 'POST')
      statements.push({
        path: withoutQueryId(path),
        headers: repeatedHeaders(headers),
        body: body.toString(),
      });
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      pipeline(answer, res).catch(() => {});
    });
    forwarded.on('error', () => res.destroy());
    forwarded.end(body);
  });
  return {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether it reads reports: all statements that do read the fingerprint, which is part of their order. */
export function readsReports({ body }: RecordedStatement): boolean {
  return /\bFROM observations\b/.test(body) && /\bfingerprint\b/.test(body);
}

/** The engine refuses an id that it knows already while that statement runs. */
function withoutQueryId(path: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.delete('query_id');
  return url.pathname + url.search;
}

function repeatedHeaders(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    REPEATED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}
