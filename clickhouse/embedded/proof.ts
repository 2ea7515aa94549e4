import { randomBytes } from 'node:crypto';
import { Agent, type AgentOptions } from 'node:http';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readEngineFile } from './engine-file.ts';

/**
 * How an engine proves on a new connection that it is the one of `engine.json`, before it is sent a login: while it
 * restarts, any user of the machine can listen on its port. Both are new with each start, so what is learned from a
 * question to the wrong listener is of no use: the engine that knows the answer has ended.
 */
export type Proof = {
  /** Only who may read `engine.json` knows what to ask for. */
  readonly path: string;
  readonly answer: string;
};

const ANSWER_HEADER = 'x-history-proof';
/** An engine with much to do answers late. */
const ANSWER_MILLISECONDS = 30_000;
const MAX_ANSWER_LENGTH = 4096;

export function makeProof(): Proof {
  const random = () => randomBytes(24).toString('base64url');
  return { path: `/proof-${random()}`, answer: random() };
}

/** What the files of `server/` take from the environment. */
export function proofEnvironment({ path, answer }: Proof): Readonly<Record<string, string>> {
  return { HISTORY_PROOF_PATH: path, HISTORY_PROOF: answer };
}

/** A connection on which the engine has proved itself. Fails with the code of a refused connection where it does not. */
export function connectToEngine(
  port: number,
  { path, answer }: Proof,
  milliseconds = ANSWER_MILLISECONDS,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const refuse = () => {
      socket.destroy();
      reject(notTheEngine(port));
    };
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.endsWith('\r\n\r\n') && text.length < MAX_ANSWER_LENGTH) return;
      if (!isProved(text, answer)) return refuse();
      socket.off('data', read).off('error', refuse).off('close', refuse).off('timeout', refuse);
      resolve(socket.setTimeout(0));
    };
    socket.on('data', read).on('error', refuse).on('close', refuse).on('timeout', refuse);
    socket.setTimeout(milliseconds).write(`HEAD ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  });
}

function isProved(response: string, answer: string): boolean {
  const [status = '', ...headers] = response.split('\r\n');
  const names = headers.map((line) => line.split(': '));
  return (
    status.startsWith('HTTP/1.1 200 ') &&
    response.endsWith('\r\n\r\n') &&
    names.some(([name, value]) => name?.toLowerCase() === ANSWER_HEADER && value === answer)
  );
}

function notTheEngine(port: number): Error {
  return Object.assign(
    new Error(`What listens on port ${port} is not the embedded ClickHouse of engine.json`),
    {
      code: 'ECONNREFUSED',
    },
  );
}

/** Opens connections to the engine of `dataDir`, each of which has proved that it leads there. */
export class EngineAgent extends Agent {
  readonly #dataDir: string;

  constructor(dataDir: string, options: AgentOptions) {
    super(options);
    this.#dataDir = dataDir;
  }

  override createConnection(
    { port }: { readonly port?: number | string | null },
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#connect(Number(port)).then(
      (socket) => done?.(null, socket),
      (error) => {
        // Node's agent tries again for requests that wait for a connection when one closes, not when none is opened.
        const closed = new Socket();
        done?.(null, closed);
        closed.destroy(error);
      },
    );
  }

  async #connect(port: number): Promise<Socket> {
    const engine = await readEngineFile(this.#dataDir);
    if (engine?.port !== port) throw notTheEngine(port);
    return connectToEngine(port, engine.proof);
  }
}
