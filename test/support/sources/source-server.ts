import { createServer, type ServerResponse } from 'node:http';
import { createSourceClient, type SourceClient } from '../../../loader/http/fetch-with-retry.ts';
import type { Body, SourceRequest } from '../../../loader/sources/source.ts';
import { listenOnFreePort } from '../listen.ts';

export type Respond = (response: ServerResponse) => void;

export type Exchange = {
  readonly client: SourceClient;
  readonly request: SourceRequest;
  /** When each request started, in milliseconds. */
  readonly starts: readonly number[];
  readonly userAgents: readonly (string | undefined)[];
  readonly retries: readonly { readonly reason: string; readonly waitSeconds: number }[];
  readonly pauses: readonly string[];
};

export const text =
  (body: string): Respond =>
  (response) =>
    response.end(body);

export const status =
  (code: number, headers = {}, body = ''): Respond =>
  (response) =>
    response.writeHead(code, headers).end(body);

/** Runs a test against a server that gives one of `responses` to each request, and the last of them to all others. */
export async function withResponses(
  responses: readonly Respond[],
  test: (exchange: Exchange) => Promise<void>,
  intervalSeconds = 0,
): Promise<void> {
  const starts: number[] = [];
  const userAgents: (string | undefined)[] = [];
  const retries: { reason: string; waitSeconds: number }[] = [];
  const pauses: string[] = [];
  const server = createServer((request, response) => {
    userAgents.push(request.headers['user-agent']);
    responses[Math.min(userAgents.length, responses.length) - 1]?.(response);
  });
  const events = {
    started: () => starts.push(performance.now()),
    received: () => {},
    pausing: (reason: string) => pauses.push(reason),
    retrying: (_url: string, reason: string, waitSeconds: number) => retries.push({ reason, waitSeconds }),
  };
  const options = { userAgent: 'test/1 (+someone@example.org)', signal: AbortSignal.timeout(60_000), events };
  const client = createSourceClient({ intervalSeconds, parallel: 1 }, options);
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/`;
  try {
    await test({ client, request: { url, maxBytes: 1e6 }, starts, userAgents, retries, pauses });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export async function textOf(body: Body): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
