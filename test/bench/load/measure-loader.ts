import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeArguments, ROOT } from '../../support/process.ts';
import { serve } from '../../support/sources/replay-server.ts';
import { archiveEnvironment, openBenchEngine } from '../embedded-engine.ts';
import type { Figure } from '../figures.ts';
import { cpuSeconds, peakMegabytes } from '../process-usage.ts';

const SAMPLE_MS = 50;

/** Runs one `load` command in an empty archive: speed, memory and CPU. `bodyOf` is the source. */
export async function measureLoader(
  name: string,
  options: string,
  bodyOf: (query: URLSearchParams) => Buffer | undefined,
): Promise<readonly Figure[]> {
  let firstRequestAt: number | undefined;
  const replay = await serve([], ({ url, response }) => {
    firstRequestAt ??= performance.now();
    const body = url.pathname.endsWith('/asos.py') ? bodyOf(url.searchParams) : undefined;
    if (body === undefined) response.writeHead(404).end();
    else response.end(body);
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-load-'));
  const engine = await openBenchEngine(dataDir);
  try {
    const args = `--source iem --interval 0 ${options}`.split(' ');
    const engineCpuBefore = await cpuSeconds(engine.pid);
    const child = spawn(process.execPath, [...nodeArguments('load'), ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, IEM_URL: replay.url, ...archiveEnvironment(engine.loader) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    const usage = { megabytes: 0, cpu: 0 };
    // Both are 0 after the end of the process, so the last value before counts.
    const timer = setInterval(() => {
      const pid = child.pid ?? 0;
      void peakMegabytes(pid).then((value) => (usage.megabytes = Math.max(usage.megabytes, value)));
      void cpuSeconds(pid).then((value) => (usage.cpu = Math.max(usage.cpu, value)));
    }, SAMPLE_MS);
    const [code] = await once(child, 'close');
    const seconds = (performance.now() - (firstRequestAt ?? Number.NaN)) / 1000;
    clearInterval(timer);
    const engineCpu = (await cpuSeconds(engine.pid)) - engineCpuBefore;
    const reports = Number(/(\d+) new/.exec(output)?.[1] ?? 0);
    if (code !== 0 || reports === 0) throw new Error(`The loader failed: ${output}`);
    const perReport = (what: string, cpu: number): Figure => ({
      what: `${name}: CPU of the ${what}, a report`,
      measured: (1e6 * cpu) / reports,
      unit: 'µs',
    });
    return [
      {
        what: name,
        measured: reports / seconds,
        unit: 'a second',
        detail: `${reports.toLocaleString('en')} reports in ${seconds.toFixed(1)} s; peak memory of the loader ${usage.megabytes} MB`,
      },
      perReport('loader', usage.cpu),
      perReport('engine', engineCpu),
    ];
  } finally {
    await replay.close();
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
