import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Replay = {
  readonly url: string;
  /** Path and query of every request, in order. */
  readonly requests: readonly string[];
  /** Ends the replay; throws when a fault of the schedule never happened. */
  close(): Promise<void>;
};

/**
 * Serves whatever `answer` says, with a schedule of faults: one entry a request that the schedule is for, in order,
 * `none` afterwards. A fault that never ran would prove nothing, so it fails the test.
 */
export async function serve<Fault extends string>(
  faults: readonly (Fault | 'none')[],
  answer: (url: URL, response: ServerResponse, next: () => Fault | 'none', request: IncomingMessage) => void,
): Promise<Replay> {
  const schedule = [...faults];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(new URL(request.url ?? '/', 'http://replay'), response, () => schedule.shift() ?? 'none', request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
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
