import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { SETTINGS as API } from '../../../../api/config.ts';
import { SETTINGS as LOADER } from '../../../../loader/config.ts';
import { nodeArguments, ROOT } from '../../../support/process.ts';

const FOLDER = new URL('../../../../docs/operations/', import.meta.url);
const UNITS = readdirSync(FOLDER).filter((name) => name.endsWith('.service'));

const UNIT_NAMES = /^([\w@.-]+\.(target|service)( |$))+$/;
const TIME = /^\d+(s|min|h)?$/;
const EXIT_CODES = /^\d+( \d+)*$/;
const SWITCH = /^(yes|no)$/;

const SWITCHES = [
  ...['PrivateTmp', 'PrivateDevices', 'PrivateUsers', 'LockPersonality', 'RemoveIPC'],
  ...['ProtectClock', 'ProtectHostname', 'ProtectControlGroups'],
  ...['ProtectKernelLogs', 'ProtectKernelModules', 'ProtectKernelTunables'],
  ...['RestrictNamespaces', 'RestrictRealtime', 'RestrictSUIDSGID'],
];

/** The lines that the units have, and what systemd takes as their value. */
const DIRECTIVES: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  Unit: {
    Description: /./,
    Documentation: /^(https?|file|man):/,
    Wants: UNIT_NAMES,
    After: UNIT_NAMES,
    StartLimitIntervalSec: TIME,
  },
  Service: {
    Type: /^(simple|exec|notify|forking|oneshot)$/,
    User: /^[a-z][\w-]*$/,
    WorkingDirectory: /^\//,
    Environment: /^(\w+=\S+( |$))+$/,
    EnvironmentFile: /^-?\//,
    ExecStart: /^\//,
    Restart: /^(no|always|on-(success|failure|abnormal|abort|watchdog))$/,
    RestartSec: TIME,
    RestartPreventExitStatus: EXIT_CODES,
    SuccessExitStatus: EXIT_CODES,
    KillMode: /^(control-group|mixed|process|none)$/,
    TimeoutStopSec: TIME,
    LimitNOFILE: /^\d+$/,
    Slice: /^[a-z]+\.slice$/,
    UMask: /^0[0-7]{3}$/,
    StateDirectory: /^[\w-]+$/,
    StateDirectoryMode: /^0[0-7]{3}$/,
    NoNewPrivileges: SWITCH,
    ProtectSystem: /^(yes|no|full|strict)$/,
    ProtectHome: /^(yes|no|read-only|tmpfs)$/,
    ProtectProc: /^(noaccess|invisible|ptraceable|default)$/,
    ...Object.fromEntries(SWITCHES.map((name) => [name, SWITCH])),
    CapabilityBoundingSet: /^$/,
    AmbientCapabilities: /^$/,
    RestrictAddressFamilies: /^(AF_\w+( |$))+$/,
    SystemCallArchitectures: /^native$/,
    SystemCallFilter: /^~?@[a-z-]+$/,
    SystemCallErrorNumber: /^E[A-Z]+$/,
  },
  Install: { WantedBy: UNIT_NAMES },
};

/** The lines of a unit that systemd would ignore or refuse. */
function mistakesIn(unit: string): readonly string[] {
  let section = '';
  return unit.split('\n').filter((line) => {
    if (line === '' || line.startsWith('#')) return false;
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (title !== undefined) {
      section = title;
      return !(section in DIRECTIVES);
    }
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return !DIRECTIVES[section]?.[name]?.test(value);
  });
}

const hasSystemd = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0;

describe('systemd units', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'systemd-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('has one for the service', () => assert.ok(UNITS.includes('history-api@.service')));

  for (const name of UNITS) {
    const unit = readFileSync(new URL(name, FOLDER), 'utf8');
    const valuesOf = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

    it(`${name} runs a program as npm does, with settings that it has`, () => {
      const [start = ''] = valuesOf('ExecStart');
      const script = start.includes('api/main.ts') ? 'start' : 'load';
      assert.ok(start.startsWith(`/usr/bin/node ${nodeArguments(script).join(' ')}`), start);
      const settings = valuesOf('Environment').flatMap((line) => [...line.matchAll(/(\w+)=/g)]);
      assert.ok(settings.length > 0);
      // A start with wrong settings fails again and again.
      assert.deepEqual(valuesOf('RestartPreventExitStatus'), ['2']);
      for (const [, each = ''] of settings) assert.ok(each in (script === 'start' ? API : LOADER), each);
    });

    it(`${name} has only lines and values that systemd knows`, () => {
      assert.deepEqual(mistakesIn(unit), []);
      for (const [right, wrong] of Object.entries({
        'Restart=': 'Restrat=',
        'KillMode=process': 'KillMode=proces',
        'Wants=': 'Want=',
        '/usr/bin/node': 'node',
      }))
        assert.equal(mistakesIn(unit.replace(right, wrong)).length, 1, wrong);
      assert.ok(mistakesIn(unit.replace('[Service]', '[Servce]')).length > 5);
    });

    // Machines without systemd, such as containers, have the test above.
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
      assert.equal((await complaints(text.replace(/^Restart=.*$/m, 'Restart=never'))).length, 1);
    });
  }
});
