import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SETTINGS as API } from '../../../../api/config.ts';
import { SETTINGS as LOADER } from '../../../../loader/config.ts';
import { partsOf, ROOT } from '../../../support/process.ts';
import { newFolder } from '../../../support/test-run.ts';

const FOLDER = new URL('../../../../docs/operations/', import.meta.url);
const UNITS = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));

const hasSystemd = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;

describe('systemd units', () => {
  const folder = newFolder();

  it('has one for the service', () => assert.ok(UNITS.includes('history-api@.service')));

  for (const name of UNITS) {
    const unit = readFileSync(new URL(name, FOLDER), 'utf8');
    const valuesOf = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

    it(`${name} runs a program as npm does, with settings that it has`, () => {
      const [start = ''] = valuesOf('ExecStart');
      const script = start.includes('api/main.ts') ? 'start' : 'load';
      const { variables, args } = partsOf(script);
      assert.ok(start.startsWith(`/usr/bin/node ${args.join(' ')}`), start);
      const settings = Object.fromEntries(
        valuesOf('Environment').flatMap((line) => line.split(' ').map((each) => each.split('='))),
      );
      for (const [name, value] of Object.entries(variables)) assert.equal(settings[name], value);
      const ofProgram = Object.keys(settings).filter((name) => !(name in variables));
      assert.ok(ofProgram.length > 0);
      for (const name of ofProgram) assert.ok(name in (script === 'start' ? API : LOADER), name);
      // A start with wrong settings fails again and again.
      assert.deepEqual(valuesOf('RestartPreventExitStatus'), ['2']);
    });

    // Some machines have no systemd, such as containers.
    if (!hasSystemd) continue;
    it(`${name} exposes little, by systemd-analyze`, () => {
      const file = fileURLToPath(new URL(name, FOLDER));
      const args = ['security', '--offline=true', '--threshold=20', file];
      const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    });

    it(`${name} is accepted by systemd-analyze`, async () => {
      const file = join(folder, name.replace('@', '@8080'));
      const text = unit
        .replaceAll('/usr/bin/node', process.execPath)
        .replaceAll('/opt/history', ROOT.replace(/\/$/, ''))
        .replace('User=history', 'User=root');
      const complaints = async (content: string) => {
        await writeFile(file, content);
        const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', file]).catch(
          (error) => error,
        );
        return stderr.split('\n').filter((line: string) => line.includes(file));
      };
      assert.deepEqual(await complaints(text), []);
      for (const wrong of ['Restart=never', 'Restrat=always'])
        assert.equal((await complaints(text.replace(/^Restart=.*$/m, wrong))).length, 1, wrong);
    });
  }
});
