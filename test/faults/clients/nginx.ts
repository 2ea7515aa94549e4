import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/engine/engine.ts';

/** docs/operations/nginx.conf, whose service is on ports 8080 and 8081. */
export const NGINX_EXAMPLE = new URL('../../../docs/operations/nginx.conf', import.meta.url);

/**
 * nginx (Debian: nginx) with these servers, on a port of its own before instances of the service.
 *
 * @param urls of the instances on 8080, 8081 and so on in the text of the servers; the last one stands for further ports
 * @param options directives for all servers
 */
export async function startNginx(
  folderOfData: string,
  urls: readonly string[],
  servers: string,
  options = '',
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const folder = join(folderOfData, `nginx-${port}`);
  await mkdir(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const settings = servers
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll(/127\.0\.0\.1:808(\d)/g, (_, at) => new URL(urls[Number(at)] ?? urls.at(-1) ?? '').host);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; user root; pid ${folder}/pid; error_log ${folder}/error.log;
     events {} http { access_log off; ${options} ${temporary.join(' ')} ${settings} }`,
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
