import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS as API_SETTINGS } from '../../api/config.ts';
import { SETTINGS as LOADER_SETTINGS } from '../../loader/config.ts';
import { readCompose } from '../support/documents/compose.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

for (const { name: file, text, content } of [
  readCompose('docker-compose.yml'),
  readCompose('docker-compose.cluster.yml'),
])
  describe(file, () => {
    const services = Object.entries(content.services);
    const programs = services.filter(([, { image }]) => image === 'historical-observations');

    for (const [name, service] of services)
      it(`limits what ${name} may do and use`, () => {
        // The image of Keeper prepares its volume as root.
        if (!service.image?.includes('clickhouse-keeper')) {
          assert.equal(service.read_only, true);
          assert.deepEqual(service.cap_drop, ['ALL']);
        }
        assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
        assert.match(service.mem_limit ?? '', /^(\d+[mg]|\$\{\w+:-\d+[mg]\})$/);
        assert.ok(service.logging?.options['max-size']);
      });

    it('and the Dockerfile name one version of each image', () => {
      const foreign = services.flatMap(([, { image = '' }]) => (image.includes(':') ? [image] : []));
      const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
      assert.equal(new Set(bases).size, 1);
      for (const image of [...foreign, ...bases]) assert.match(image, /:\d+\.\d+\.\d+/);
    });

    it('builds one image for all programs', () => {
      assert.ok(programs.length > 1);
      assert.deepEqual(
        programs.flatMap(([name, { build }]) => (build === undefined ? [] : [name])),
        ['migrate'],
      );
      for (const [, { pull_policy }] of programs) assert.equal(pull_policy, 'never');
    });

    it('passes every password as a file', () => {
      for (const [name, { environment = {}, secrets = [] }] of services) {
        const files = Object.entries(environment).filter(([variable]) => /PASSWORD|SECRET/.test(variable));
        for (const [variable, path] of files) {
          assert.match(variable, /_FILE$/, `${name}: ${variable}`);
          assert.ok(secrets.includes(path.replace('/run/secrets/', '')), `${name}: ${path}`);
        }
        for (const secret of secrets) assert.ok(secret in content.secrets, `${name}: ${secret}`);
      }
      const made = /for name in ([a-z ]+); do/.exec(text)?.[1]?.split(' ') ?? [];
      const passwords = made.map((name) => `${name}_password`);
      const others = [...text.matchAll(/openssl rand -hex 24 > secrets\/(\w+)$/gm)].map(([, name]) => name);
      assert.deepEqual([...passwords, ...others], Object.keys(content.secrets));
    });

    it('sets only settings that exist', () => {
      const settings = Object.keys({ ...API_SETTINGS, ...LOADER_SETTINGS });
      for (const [name, { environment = {} }] of programs)
        for (const variable of Object.keys(environment))
          assert.ok(settings.includes(variable.replace(/_FILE$/, '')), `${name}: ${variable}`);
    });

    it('takes the variables of .env.example', () => {
      const withoutComments = text.replace(/^ *#.*$/gm, '');
      const taken = [...withoutComments.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
      const described = [...read('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '']) => name);
      for (const name of taken) assert.ok(described.includes(name), name);
      if (file === 'docker-compose.yml') assert.deepEqual([...new Set(taken)].sort(), described.sort());
    });

    it('gives the api longer to stop than a query may take', () => {
      const { stop_grace_period: period, environment } = content.services.api ?? assert.fail();
      const limit = `\${QUERY_TIMEOUT_SECONDS:-${API_SETTINGS.QUERY_TIMEOUT_SECONDS.default}}`;
      assert.equal(environment?.QUERY_TIMEOUT_SECONDS, limit);
      assert.equal(period, `${limit}s10000ms`);
    });

    it('mounts files that exist', () => {
      const mounted = services.flatMap(([, { volumes = [] }]) =>
        volumes.filter((each) => each.startsWith('./')),
      );
      assert.ok(mounted.length > 0);
      for (const volume of mounted) {
        const [source = ''] = volume.split(':');
        assert.ok(existsSync(join(ROOT, source)), source);
        assert.match(volume, /:ro$/);
      }
    });

    it('and the image start programs that Node runs without a compiler', () => {
      const commands = programs.flatMap(([, { entrypoint, command }]) => entrypoint ?? command ?? []);
      const started = [...commands, ...(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').split('"')];
      const sources = new Set(started.filter((word) => word.endsWith('.ts')));
      assert.deepEqual([...sources].sort(), ['api/auth/keys-command.ts', 'api/main.ts', 'loader/main.ts']);
      assert.ok(!started.includes('tsx'));
    });
  });

it('the programs import files by the names that Node looks for, where a compiler also takes another extension', () => {
  for (const folder of ['api', 'clickhouse', 'loader'])
    for (const name of readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive: true })) {
      const file = join(folder, name);
      if (!/\.(ts|js)$/.test(file)) continue;
      for (const [, target = ''] of read(file).matchAll(/^(?:import|export) .* from '(\.[^']*)'/gm))
        assert.ok(existsSync(join(ROOT, dirname(file), target)), `${file} imports ${target}`);
    }
});
