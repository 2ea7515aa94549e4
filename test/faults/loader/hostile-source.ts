import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createGzip, gzipSync } from 'node:zlib';
import { peakMegabytes } from '../../support/process-usage.ts';
import { listenOnFreePort } from '../../support/listen.ts';
import { startLoader } from '../../support/loader/loader-process.ts';
import { netcdfFile } from '../../support/sources/netcdf-file.ts';
import { MADIS_VARIABLES } from '../../support/sources/replay-madis.ts';
import { emptyDirectory } from '../archive.ts';
import { Answers } from '../clients/answers.ts';
import type { Fault, Outcome } from '../fault.ts';
import { startService } from '../service.ts';
import { type LoadSource, startSource } from './load-archive.ts';
import { compare, enginePort } from './load-kills.ts';

/** A load that meets nothing of this kind takes half. */
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

export const HOSTILE_SOURCE: readonly Fault<undefined>[] = [
  {
    name: 'A source sends bodies without end',
    does: 'bounds memory; loses no report',
    action:
      'the first response of each kind never ends: the station, then reports as an error text, as a refusal, as one line, and compressed',
    expect: { answers: [], longestWaitMs: 0 },
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
    does: 'bounds memory; loses no report',
    action:
      'responses of short reports, of reports as long as they may be in two-byte characters, and of one that is endless',
    expect: { answers: [], longestWaitMs: 0 },
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
  {
    name: 'Files of NetCDF whose headers are bombs',
    does: 'bounds memory; exit code 3',
    action:
      'load --source files of three files: an attribute of 59 million bytes, 7.5 million dimensions, and a sound one',
    expect: { answers: [], longestWaitMs: 0 },
    run: importBombs,
  },
];

/** A load of small files takes less than a third of what a service has. */
const MAX_FILES_MEMORY_MB = 300;

async function importBombs(): Promise<Outcome> {
  const folder = await emptyDirectory();
  const words = (...values: readonly number[]) => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
    return bytes;
  };
  const bomb = (...header: readonly number[]) =>
    gzipSync(Buffer.concat([words(0x43444601, 1, ...header), Buffer.alloc(59_000_000)]));
  await writeFile(join(folder, '1.gz'), bomb(0, 0, 12, 1, 0, 1, 59_000_000));
  await writeFile(join(folder, '2.gz'), bomb(10, 7_500_000));
  const rawMETAR = 'METAR KJFK 010000Z 18004KT';
  const sound = { stationName: 'KJFK', timeObs: Date.UTC(2024, 0, 1) / 1000, reportType: 'METAR', rawMETAR };
  await writeFile(join(folder, '3'), netcdfFile(MADIS_VARIABLES, [sound]));
  const env = { DATA_DIR: await emptyDirectory(), ...(await enginePort()) };
  const { code, out, memoryMb } = await runLoader(`--source files --path ${folder}`, env);
  return {
    answers: new Answers(),
    notes: [`${memoryMb} MB`],
    breaches: [
      ...(code === 3 && /1 of 3 files loaded: 1 reports, 1 new/.test(out) ? [] : [out.slice(-400)]),
      ...(memoryMb > MAX_FILES_MEMORY_MB || memoryMb === 0 ? [`${memoryMb} MB`] : []),
    ],
  };
}

async function runLoader(args: string, env: Readonly<Record<string, string>>) {
  const loader = startLoader(args, env);
  let memoryMb = 0;
  const watch = setInterval(async () => {
    memoryMb = Math.max(memoryMb, await peakMegabytes(loader.pid));
  }, 100);
  const { code, out } = await loader.ended.finally(() => clearInterval(watch));
  return { code, out, memoryMb };
}

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
    const { code, out, memoryMb } = await runLoader(source.args(0), env);
    const service = await startService({ dataDir });
    const result = await compare(service, source, await service.createKey());
    await service.stop();
    return {
      answers: new Answers(),
      notes: [`${memoryMb} MB`, ...result.notes],
      breaches: [
        ...result.breaches,
        ...(code === 0 ? [] : [`the loader: exit code ${code}: ${out.slice(-300)}`]),
        ...(proxy.pending() === 0 ? [] : [`${proxy.pending()} responses were not requested`]),
        ...(memoryMb > MAX_MEMORY_MB || memoryMb === 0 ? [`${memoryMb} MB`] : []),
      ],
    };
  } finally {
    await proxy.close();
    await source.close();
  }
}

/** Answers for a source, and with what is hostile first. */
async function startProxy(source: LoadSource, hostility: Hostility) {
  const reports = [...hostility.reports];
  const stations = hostility.station === undefined ? [] : [hostility.station];
  const server = createServer(async (request, response) => {
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
