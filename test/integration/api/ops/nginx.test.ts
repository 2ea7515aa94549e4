import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { OBSERVATIONS, QUERY, startApi, type TestApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { NGINX_EXAMPLE, type Nginx, startNginx } from '../../../support/nginx.ts';
import { newFolder } from '../../../support/test-run.ts';

const hasNginx = spawnSync('nginx', ['-v'], { stdio: 'ignore' }).status === 0;

// On Debian: apt-get install -y nginx. Under load, with restarts of programs: `npm run test:faults -- --only rolling`.
if (hasNginx)
  describe('two instances behind docs/operations/nginx.conf', () => {
    const archive = useArchive();
    let folder: string;
    const instances: TestApi[] = [];
    let nginx: Nginx;
    let authorization: string;
    before(async () => {
      const times = Array.from({ length: 40 }, (_, day) => new Date(Date.UTC(2024, 0, 1, day)).toISOString());
      await insert(archive.client, ...times.map((at) => put(report({ at }))));
      folder = newFolder();
      for (let at = 0; at < 2; at += 1) instances.push(await startApi(archive.client, { dataDir: folder }));
      const urls = instances.map(({ url }) => url);
      nginx = await startNginx(folder, urls, await readFile(NGINX_EXAMPLE, 'utf8'));
      authorization = `Bearer ${await instances[0]?.createKey()}`;
    });
    after(async () => {
      await nginx?.stop();
      for (const instance of instances) await instance.stop();
    });

    it('serve keys over TLS alone, and their metrics to nobody', async () => {
      assert.equal((await fetch(`${nginx.plainUrl}/readyz`)).status, 403);
      assert.equal((await fetch(`${instances[0]?.url}/metrics`)).status, 200);
      for (const path of ['/metrics', '/METRICS', '/metrics/', '//metrics', '/%6detrics?a=b'])
        assert.ok([403, 404].includes((await nginx.getOverTls(path)) ?? 0), path);
    });

    it('take a thousand stations in one parameter for each, which takes 14 kB', async () => {
      const codes = Array.from({ length: 1000 }, (_, n) => `stations=K${String(n).padStart(3, '0')}`);
      const query = `${codes.join('&')}&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z`;
      assert.ok(query.length > 14_000);
      for (const url of [instances[0]?.url, nginx.url]) {
        const response = await fetch(`${url}${OBSERVATIONS}?${query}`, { headers: { authorization } });
        const { meta } = (await response.json()) as { meta: { coverage: { stations: object[] } } };
        assert.deepEqual([response.status, meta.coverage.stations.length], [200, 1000]);
      }
    });

    it('compress by themselves, with the entity tag and the length that a client would get from them', async () => {
      const headers = { authorization, 'accept-encoding': 'gzip' };
      const [direct, behind] = await Promise.all(
        [instances[0]?.url, nginx.url].map((url) => fetch(`${url}${OBSERVATIONS}?${QUERY}`, { headers })),
      );
      for (const name of ['content-encoding', 'etag'])
        assert.equal(behind?.headers.get(name), direct?.headers.get(name), name);
      assert.equal(behind?.headers.get('content-encoding'), 'gzip');
    });

    it('answer every request while one of them is stopped', async () => {
      await instances.shift()?.stop();
      const statuses = new Set<number>();
      for (let request = 0; request < 12; request += 1) {
        const response = await fetch(`${nginx.url}${OBSERVATIONS}.csv?${QUERY}`, {
          headers: { authorization },
        });
        assert.equal((await response.text()).trimEnd().split('\n').length, 41);
        statuses.add(response.status);
      }
      assert.deepEqual([...statuses], [200]);
    });
  });
