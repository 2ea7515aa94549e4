import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/engine/engine.ts';
import type { Fault } from '../fault.ts';
import { type Service, startService } from '../service.ts';
import { Answers } from './answers.ts';
import { LARGE_PAGE } from './client.ts';
import { timeUntil } from './traffic.ts';

/** Arrow is not compressed, and so takes more than the connections hold. */
const STREAM = LARGE_PAGE.replace('?', '.arrow?').replace('limit=10000', 'limit=1000000');

const EXAMPLE = new URL('../../../docs/operations/nginx.conf', import.meta.url);
const DEFAULT = 'server { listen 80; location / { proxy_pass http://127.0.0.1:8080; } }';

/** A part never looks whole: curl fails, also over HTTP/1.0, where the end of the connection is the end of the body. */
export const BROKEN_STREAMS: readonly Fault<undefined>[] = [
  {
    name: 'Streams are broken off',
    action:
      'SIGTERM twice while curl reads a stream: over HTTP/1.0, and through nginx with its defaults and with docs/operations/nginx.conf',
    expect: { answers: ['broken off'], required: ['broken off'], longestWaitMs: 20_000 },
    async run() {
      const service = await startService({
        settings: { STREAMS_AT_ONCE: '3' },
      });
      const proxies = [
        await startNginx(service, DEFAULT),
        await startNginx(service, await readFile(EXAMPLE, 'utf8')),
      ];
      const downloads = [
        await download(service, 'direct', service.url, '--http1.0'),
        ...(await Promise.all(proxies.map(({ url }, at) => download(service, `nginx-${at}`, url)))),
      ];
      const answers = new Answers();
      service.kill('SIGTERM');
      // Closer together they count as one.
      await sleep(1200);
      service.kill('SIGTERM');
      for (const label of await Promise.all(downloads.map(({ ended }) => ended)))
        answers.add({ status: 0, label, headers: {}, body: '', ms: 0 });
      for (const { stop } of proxies) await stop();
      await service.stop();
      return { answers };
    },
  },
];

/** nginx with these servers, on a port of its own before the service. */
async function startNginx({ url, dataDir }: Service, servers: string) {
  const port = await freePort();
  const folder = join(dataDir, `nginx-${port}`);
  await mkdir(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const settings = servers
    .replace('listen 80', `listen 127.0.0.1:${port}`)
    .replace('127.0.0.1:8080', new URL(url).host);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; proxy_limit_rate 1m; ${temporary.join(' ')} ${settings} }`,
  );
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  await once(nginx, 'spawn');
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (nginx.exitCode !== null)
      throw new Error(`nginx: ${await readFile(join(folder, 'error.log'), 'utf8')}`);
    await sleep(50);
  }
  return {
    url: origin,
    async stop() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
    },
  };
}

/** Reads a stream slowly. Returns when its first bytes have arrived. */
async function download(service: Service, name: string, url: string, ...options: readonly string[]) {
  const file = join(service.dataDir, name);
  const header = `Authorization: Bearer ${await service.createKey()}`;
  const args = ['-sSf', '--limit-rate', '200k', '-o', file, ...options, '-H', header, url + STREAM];
  const ended = new Promise<string>((resolve) =>
    execFile('curl', args, (error) => resolve(error === null ? 'looks whole' : 'broken off')),
  );
  const hasBegun = async () => (await stat(file).catch(() => ({ size: 0 }))).size > 1000;
  if ((await timeUntil(hasBegun, 15_000)) === undefined) throw new Error(`${name}: no stream`);
  return { ended };
}
