import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './engine/engine.ts';

/** docs/operations/nginx.conf, whose service is on ports 8080 and 8081. */
export const NGINX_EXAMPLE = new URL('../../docs/operations/nginx.conf', import.meta.url);

export type Nginx = {
  readonly url: string;
  /** What the example listens to without encryption. */
  readonly plainUrl: string;
  /** GET over TLS, where the certificate is that of the example: the status. */
  getOverTls(path: string): Promise<number | undefined>;
  stop(): Promise<void>;
};

/** In the example. */
const HOST = 'history.example.org';

/**
 * nginx (Debian: nginx) with these servers, on ports of its own before instances of the service. What it serves over TLS it
 * serves without as well.
 *
 * @param urls of the instances on 8080, 8081 and so on in the text of the servers; the last one stands for further ports
 * @param options directives for all servers
 */
export async function startNginx(
  folderOfData: string,
  urls: readonly string[],
  servers: string,
  options = '',
): Promise<Nginx> {
  const [port, tlsPort, plainPort] = [await freePort(), await freePort(), await freePort()];
  const folder = join(folderOfData, `nginx-${port}`);
  await mkdir(folder);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const [certificate, privateKey] = [join(folder, 'certificate.pem'), join(folder, 'private.key')];
  const certified = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = `-subj /CN=${HOST} -addext subjectAltName=DNS:${HOST} -out ${certificate} -keyout ${privateKey}`;
  await promisify(execFile)('openssl', `req ${certified} ${names}`.split(' '));
  const settings = servers
    .replace('listen 80;', `listen 127.0.0.1:${servers.includes('listen 443') ? plainPort : port};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${tlsPort} ssl; listen 127.0.0.1:${port};`)
    .replace(`/etc/ssl/certs/${HOST}.pem`, certificate)
    .replace(`/etc/ssl/private/${HOST}.key`, privateKey)
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
    plainUrl: `http://127.0.0.1:${plainPort}`,
    async getOverTls(path) {
      const options = {
        host: '127.0.0.1',
        port: tlsPort,
        path,
        servername: HOST,
        ca: await readFile(certificate),
      };
      const [response] = await once(get(options), 'response');
      response.resume();
      return response.statusCode;
    },
    async stop() {
      nginx.kill('SIGTERM');
      if (nginx.exitCode === null) await once(nginx, 'exit');
    },
  };
}
