import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Replay<Fault extends string = string> = {
  readonly url: string;
  /** Path and query of every request, in order. */
  readonly requests: readonly string[];
  /** Adds to the schedule of faults. */
  misbehave(faults: readonly (Fault | 'none')[]): void;
  /** Ends the replay; throws when a fault of the schedule never happened. */
  close(): Promise<void>;
};

export type Exchange<Fault extends string> = {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What happens to this request, where the schedule is for it. */
  readonly next: () => Fault | 'none';
};

/**
 * Serves whatever `answer` says, with a schedule of faults: one entry a request that the schedule is for, in order,
 * `none` afterwards. A fault that never ran would prove nothing, so it fails the test.
 */
export async function serve<Fault extends string>(
  faults: readonly (Fault | 'none')[],
  answer: (exchange: Exchange<Fault>) => void,
  port = 0,
): Promise<Replay<Fault>> {
  const schedule = [...faults];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const url = new URL(request.url ?? '/', 'http://replay');
    answer({ url, request, response, next: () => schedule.shift() ?? 'none' });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    misbehave: (more) => schedule.push(...more),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      const never = schedule.filter((fault) => fault !== 'none');
      if (never.length > 0) throw new Error(`faults that never happened: ${never.join(', ')}`);
    },
  };
}
