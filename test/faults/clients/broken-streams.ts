import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readWithPandas } from '../../support/api/pandas-reader.ts';
import { freePort } from '../../support/engine/engine.ts';
import { startLoader } from '../../support/loader/loader-process.ts';
import { NGINX_EXAMPLE, startNginx } from '../../support/nginx.ts';
import { copyOfArchive } from '../archive.ts';
import type { Fault } from '../fault.ts';
import { type Service, startService } from '../service.ts';
import { Answers } from './answers.ts';
import { LARGE_PAGE } from './client.ts';
import { timeUntil } from './traffic.ts';

/** Four years of NDJSON have some 60 MB, which is more than connections can hold: 32 MB each on many machines. */
const EARLIER_YEARS = '--source demo --stations XAAA,XAAB,XAAC,XAAD --from 2020-01-01 --to 2023-01-01';
const STREAM = LARGE_PAGE.replace('?', '.ndjson?')
  .replace('limit=10000', 'limit=1000000')
  .replace('from=2023', 'from=2020');

/** nginx, too, would take more than the connections hold. */
const SLOW = 'proxy_limit_rate 1m;';
const DEFAULT = 'server { listen 80; location / { proxy_pass http://127.0.0.1:8080; } }';

/** A part never looks whole: curl and pandas fail, also over HTTP/1.0, where the end of the connection is the end of the body. */
export const BROKEN_STREAMS: readonly Fault<undefined>[] = [
  {
    name: 'Streams are broken off',
    does: 'breaks streams so that curl and pandas fail',
    action:
      'SIGTERM twice while curl and pandas read streams: curl over HTTP/1.0, both through nginx with its defaults and with docs/operations/nginx.conf',
    expect: { answers: ['broken off'], required: ['broken off'], longestWaitMs: 20_000 },
    async run() {
      const dataDir = await copyOfArchive();
      const settings = { DATA_DIR: dataDir, EMBEDDED_CLICKHOUSE_PORT: `${await freePort()}` };
      const { code, out } = await startLoader(EARLIER_YEARS, settings).ended;
      if (code !== 0) throw new Error(out);
      const service = await startService({ dataDir, settings: { STREAMS_AT_ONCE: '5' } });
      const proxies = [
        await startNginx(service.dataDir, [service.url], DEFAULT, SLOW),
        await startNginx(service.dataDir, [service.url], await readFile(NGINX_EXAMPLE, 'utf8'), SLOW),
      ];
      const downloads = [
        await download(service, 'direct', service.url, '--http1.0'),
        ...(await Promise.all(proxies.map(({ url }, at) => download(service, `nginx-${at}`, url)))),
        ...(await Promise.all(proxies.map(({ url }) => readCsv(service, url)))),
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

/** Reads a stream slowly. Returns when its first bytes have arrived. */
async function download(service: Service, name: string, url: string, ...options: readonly string[]) {
  const file = join(service.dataDir, name);
  const header = `Authorization: Bearer ${await service.createKey()}`;
  const args = ['-sSf', '--limit-rate', '1M', '-o', file, ...options, '-H', header, url + STREAM];
  const ended = new Promise<string>((resolve) =>
    execFile('curl', args, (error) => resolve(error === null ? 'looks whole' : 'broken off')),
  );
  const hasBegun = async () => (await stat(file).catch(() => ({ size: 0 }))).size > 1000;
  if ((await timeUntil(hasBegun, 15_000)) === undefined) throw new Error(`${name}: no stream`);
  return { ended };
}

/** pandas reads a stream as slowly as nginx sends it. Returns when it has begun. */
async function readCsv({ createKey }: Service, url: string) {
  const reader = await readWithPandas(url + STREAM.replace('.ndjson', '.csv'), await createKey());
  const ended = reader.ended.then((how) =>
    /^(IncompleteRead|ConnectionResetError)$/.test(how) ? 'broken off' : `pandas: ${how}`,
  );
  return { ended };
}
