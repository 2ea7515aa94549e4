import { randomUUID } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { Engine } from './engine.ts';
import { exitCodes } from './exit.ts';
import { type Library, loadLibrary } from './library.ts';
import { Members } from './members.ts';
import { removeRecord, writeRecord } from './record.ts';
import { createInterface } from './serve.ts';

/**
 * The embedded engine, a process of its own: `main.ts DATA_DIR PORT`. Serves ClickHouse's HTTP interface on the
 * loopback address until its last member leaves or SIGTERM comes. An insert is acknowledged only when its rows
 * are in the table, so that no way of stopping, SIGKILL included, loses one.
 */
const [directory = '', portText = ''] = process.argv.slice(2);
await mkdir(directory, { recursive: true });
const dataDir = await realpath(directory);
const instance = randomUUID();

let stopping = false;

const library = load();
const engine = await open(library);
const members = new Members(
  { instance, pid: process.pid, dataDir },
  () => void stop('the last member has left'),
);
const server = createInterface(engine, (message, response) => members.serve(message, response));
const port = await listen(server, Number(portText));
await writeRecord(dataDir, { pid: process.pid, port, instance });
log(`ClickHouse ${engine.version} (embedded) serves ${dataDir} on http://127.0.0.1:${port}`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));

async function stop(why: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log(`stopping: ${why}`);
  await removeRecord(dataDir, instance);
  members.dismiss();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await engine.close();
  members.confirmEnd();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 1_000).unref();
  await closed;
  log('stopped');
  process.exit(0);
}

function load(): Library {
  try {
    return loadLibrary();
  } catch (error) {
    return exit('libraryMissing', error);
  }
}

async function open(chdb: Library): Promise<Engine> {
  try {
    return await Engine.open(chdb, dataDir);
  } catch (error) {
    return exit('directoryNotOpened', error);
  }
}

async function listen(to: Server, wanted: number): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      to.once('error', reject);
      to.listen(wanted, '127.0.0.1', resolve);
    });
    return (to.address() as AddressInfo).port;
  } catch (error) {
    return exit('portTaken', error);
  }
}

function exit(reason: keyof typeof exitCodes, error: unknown): never {
  log(`${reason}: ${error instanceof Error ? error.message : error}`);
  process.exit(exitCodes[reason]);
}

function log(line: string): void {
  console.log(`${new Date().toISOString()} ${line}`);
}
