import { createServer, type ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { listenOnFreePort } from '../../support/listen.ts';
import { startLoader } from '../../support/process.ts';
import { peakMegabytes, watchHighest } from '../../support/process-usage.ts';
import { emptyDirectory } from '../archive.ts';
import type { Fault, Outcome } from '../fault.ts';
import { enginePort, startService } from '../service.ts';
import { compare, type LoadSource, startSource } from './load-archive.ts';

/** A load without these faults takes half of this memory. */
const MAX_MEMORY_MB = 500;

type Respond = (response: ServerResponse) => void;

const HEADER = 'station,valid,metar\n';

/** Sends the same chunk until the loader closes the connection. */
function endless(status: number, chunk: string, headers = {}): Respond {
  return (response) => {
    response.writeHead(status, headers);
    const target = 'content-encoding' in headers ? createGzip() : response;
    if (target !== response) target.pipe(response);
    response.on('close', () => target.destroy());
    const bytes = Buffer.from(chunk);
    const send = () => {
      while (!target.destroyed && target.write(bytes));
    };
    target.on('drain', send).on('error', () => {});
    target.write(HEADER);
    send();
  };
}

export const HOSTILE_SOURCE: readonly Fault[] = [
  {
    name: 'A source sends bodies without end',
    action:
      'the first response of each kind never ends: the station, then reports as an error text, as a refusal, as one line, and compressed',
    run: () =>
      loadFrom({
        station: endless(200, '[{},{},[],"a"],'.repeat(5000)),
        reports: [
          endless(500, 'Oops '.repeat(10_000)),
          endless(503, 'ZX00,2023-01-01 00:51,ZX00 010051Z\n'.repeat(2000)),
          endless(200, 'x'.repeat(65_536)),
          endless(200, '\n'.repeat(65_536), { 'content-encoding': 'gzip' }),
        ],
      }),
  },
  {
    name: 'A source sends millions of reports',
    action:
      'responses of short reports, of reports as long as they may be in two-byte characters, and of one that is endless',
    run: () =>
      loadFrom({
        reports: [
          endless(200, 'ZX00,2023-01-01 00:51,ZX00 010051Z 18004KT 10SM\n'.repeat(1000)),
          endless(200, `ZX00,2023-01-01 00:51,ZX00 010051Z ${'Ж'.repeat(90)}\n`.repeat(300)),
          endless(200, `ZX00,2023-01-01 00:51,ZX00 010051Z ${'Ж'.repeat(3900)}\n`.repeat(8)),
          endless(200, 'ZX00,2023-01-01 00:51,ZX00 010051Z '.repeat(2000)),
        ],
      }),
  },
];

type Hostility = {
  /** The first response about a station. */
  readonly station?: Respond;
  /** The first responses with reports. All later ones are right. */
  readonly reports: readonly Respond[];
};

/** Loads from a source that is hostile at first, and compares the archive with the source. */
async function loadFrom(hostility: Hostility): Promise<Outcome> {
  const source = await startSource(2);
  const proxy = await startProxy(source, hostility);
  const dataDir = await emptyDirectory();
  try {
    const env = { DATA_DIR: dataDir, IEM_URL: proxy.url, ...(await enginePort()) };
    const loader = startLoader(source.args(0), env);
    const memory = watchHighest(() => peakMegabytes(loader.pid));
    const { code, out } = await loader.finished;
    const memoryMb = memory.stop();
    const service = await startService({ dataDir });
    const result = await compare(service, source, await service.createKey());
    await service.stop();
    return {
      notes: [`${memoryMb} MB`, ...result.notes],
      breaches: [
        ...result.breaches,
        code !== 0 && `the loader: exit code ${code}: ${out.slice(-300)}`,
        proxy.pending() > 0 && `${proxy.pending()} responses were not requested`,
        (memoryMb > MAX_MEMORY_MB || memoryMb === 0) && `${memoryMb} MB`,
      ],
    };
  } finally {
    await proxy.close();
    await source.close();
  }
}

/** Answers in place of a source, at first with hostile responses. */
async function startProxy(source: LoadSource, hostility: Hostility) {
  const reports = [...hostility.reports];
  const stations = hostility.station === undefined ? [] : [hostility.station];
  const server = createServer(async (request, response) => {
    // The loader asks for the clock.
    if (request.method === 'HEAD') return response.writeHead(404).end();
    const hostile = (request.url?.startsWith('/cgi-bin/') ? reports : stations).shift();
    if (hostile !== undefined) return hostile(response);
    const answer = await fetch(source.url + request.url);
    response.writeHead(answer.status).end(await answer.text());
  });
  return {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    pending: () => reports.length + stations.length,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
