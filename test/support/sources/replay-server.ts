import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreePort } from '../listen.ts';

export type Replay<Fault extends string = string> = {
  readonly url: string;
  /** Path and query of every request, in order. */
  readonly requests: readonly string[];
  addFaults(faults: readonly (Fault | 'none')[]): void;
  /** Stops the server; throws when a fault of the schedule did not happen. */
  close(): Promise<void>;
};

export type Exchange<Fault extends string> = {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The fault of this request; call it for requests that the schedule applies to. */
  readonly next: () => Fault | 'none';
};

/**
 * Serves what `respond` sends, with a schedule of faults: one entry for each request that it applies to, in order, then
 * `none`. A fault that did not happen proves nothing, so it fails the test. A HEAD request asks for the clock alone, and
 * is not counted.
 *
 * @param clock of the source; `undefined`: it has none
 */
export async function serve<Fault extends string>(
  faults: readonly (Fault | 'none')[],
  respond: (exchange: Exchange<Fault>) => void,
  clock: () => Date | undefined = () => new Date(),
): Promise<Replay<Fault>> {
  const schedule = [...faults];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    response.sendDate = false;
    const time = clock();
    if (time !== undefined) response.setHeader('date', time.toUTCString());
    if (request.method === 'HEAD') return void response.writeHead(404).end();
    requests.push(request.url ?? '');
    const url = new URL(request.url ?? '/', 'http://replay');
    respond({ url, request, response, next: () => schedule.shift() ?? 'none' });
  });
  return {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    requests,
    addFaults: (more) => schedule.push(...more),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      const unused = schedule.filter((fault) => fault !== 'none');
      if (unused.length > 0) throw new Error(`faults that did not happen: ${unused.join(', ')}`);
    },
  };
}

/** Serves a source while the work lasts. */
export async function withReplay<R extends Pick<Replay, 'close'>, T>(
  starting: Promise<R>,
  work: (replay: R) => Promise<T>,
): Promise<T> {
  const replay = await starting;
  const result = await work(replay).catch(async (error) => {
    // Faults that did not happen follow from this error.
    await replay.close().catch(() => {});
    throw error;
  });
  await replay.close();
  return result;
}
