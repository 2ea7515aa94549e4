import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type HttpResponse, openHttpClient } from '../../http-client.ts';
import type { Query } from '../../read/queries.ts';

/** Another database behind `peer-server.ts`, in a process of its own. */
export type PeerServer = {
  page(query: Query): Promise<HttpResponse>;
  close(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('./peer-server.ts', import.meta.url));

/** @param args of `peer-server.ts` */
export async function openPeerServer(args: readonly string[]): Promise<PeerServer> {
  const child = fork(PROGRAM, [...args]);
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error(`The service over ${args[0]} ended`)));
  ended.catch(() => {});
  const [port] = await Promise.race([once(child, 'message'), ended]);
  const http = openHttpClient(`http://127.0.0.1:${port}`);
  return {
    async page(query) {
      const response = await http.get(`/?${new URLSearchParams({ page: JSON.stringify(query) })}`);
      if (response.status !== 200) throw new Error(`${args[0]}: ${response.status} ${response.body}`);
      return response;
    },
    async close() {
      http.close();
      child.kill();
      await exited;
    },
  };
}
