import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordOf } from '../../support/engine/engine-directory.ts';
import { Answers } from '../clients/answers.ts';
import { sendFromPage } from '../clients/browser.ts';
import type { Fault } from '../fault.ts';
import type { Service } from '../service.ts';

const NOBODY = 65_534;

const STATEMENTS = [
  'SELECT count() FROM history.observations',
  "SELECT * FROM file('/proc/self/environ', 'LineAsString')",
  "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
  "INSERT INTO FUNCTION file('/tmp/written', 'LineAsString') VALUES ('x')",
];

const TARGETS = ['/?query=', '/?user=default&query=', '/?user=history_api&query='];

/** What none of the three users may call. */
const FORBIDDEN = [
  ...STATEMENTS.slice(1),
  "SELECT * FROM remote('127.0.0.1:1', 'system.one')",
  "SELECT * FROM executable('true', 'LineAsString', 'a String')",
  "SELECT * FROM s3('http://127.0.0.1:1/bucket/a', 'LineAsString')",
  "CREATE TABLE history.f (a String) ENGINE = File('LineAsString', '/etc/hostname')",
  "CREATE TABLE history.u (a String) ENGINE = URL('http://127.0.0.1:1/', 'LineAsString')",
  "BACKUP DATABASE history TO File('/tmp/written')",
  "SELECT file('/etc/hostname')",
  "SELECT file('/etc/hostname') SETTINGS enable_analyzer = 0",
  'CREATE FUNCTION f AS (a) -> a',
  'SYSTEM STOP LISTEN HTTP',
  'SYSTEM SHUTDOWN',
  'KILL QUERY WHERE 1',
];

/** ACCESS_DENIED, throwIf of `file`, a program that is not there, and the quota of `default`. */
const REFUSED = /^[45]\d\d .*Code: (497|395|1|201)\b/s;

export const ENGINE_ACCESS: readonly Fault<Service>[] = [
  {
    name: 'Another user of the machine asks the engine',
    does: 'refuses every statement',
    action: 'statements without a login, as the user nobody (as the same user where root does not run this)',
    expect: { answers: [], longestWaitMs: 0 },
    async run({ dataDir }) {
      const { port } = await recordOf(dataDir);
      const breaches = [...(await refusedWithoutLogin(port)), ...(await filesThatOthersRead(dataDir))];
      return {
        answers: new Answers(),
        notes: ['/ping answers'],
        breaches,
      };
    },
  },
  {
    name: 'A web page asks the engine',
    does: 'answers each statement with 404',
    action:
      'Chromium sends statements from a page of another origin: as images, by fetch and by forms (in Debian: chromium)',
    expect: { answers: [], longestWaitMs: 0 },
    async run({ dataDir }) {
      const { port } = await recordOf(dataDir);
      const statements = STATEMENTS.flatMap((statement) =>
        TARGETS.map((target) => url(port, target + encodeURIComponent(statement))),
      );
      const ping = url(port, '/ping');
      const { responses, readable } = await sendFromPage([ping, ...statements]);
      const isRight = (response: { url: string; status: number }) =>
        response.status === (response.url === ping ? 200 : 404);
      return {
        answers: new Answers(),
        notes: [`${responses.length} responses; the page can read none`],
        breaches: [
          ...responses
            .filter((response) => !isRight(response))
            .map(({ status, method, url }) => `${method} ${url}: ${status}`),
          ...readable.map((each) => `the page reads the response of ${each}`),
          ...(responses.length < 2 * statements.length
            ? ['the browser did not reach the engine with every statement']
            : []),
        ],
      };
    },
  },
  {
    name: 'Its users reach for files, other servers and itself',
    does: 'refuses every statement',
    action:
      'file, url, remote, executable, s3, tables over them, a backup, CREATE FUNCTION and SYSTEM, with each of the three ' +
      'logins, also with ?user=default',
    expect: { answers: [], longestWaitMs: 0 },
    async run({ dataDir }) {
      const { port, users } = await recordOf(dataDir);
      const breaches: string[] = [];
      const requests = Object.values(users).flatMap((login) =>
        ['/', '/?user=default'].flatMap((path) => FORBIDDEN.map((statement) => ({ login, path, statement }))),
      );
      for (const { login, path, statement } of requests) {
        const { username, password } = login;
        const answer = await curl([
          '-u',
          `${username}:${password}`,
          '--data-binary',
          statement,
          url(port, path),
        ]);
        if (!REFUSED.test(answer)) breaches.push(`${username}: ${path}: ${statement}: ${answer}`);
      }
      return { answers: new Answers(), notes: [`${requests.length} statements`], breaches };
    },
  },
];

async function refusedWithoutLogin(port: number): Promise<readonly string[]> {
  const breaches: string[] = [];
  for (const statement of STATEMENTS)
    for (const target of TARGETS) {
      const answer = await curl([url(port, target + encodeURIComponent(statement))]);
      if (!answer.startsWith('404 ')) breaches.push(`${statement}: ${answer}`);
    }
  const ping = await curl([url(port, '/ping')]);
  if (!ping.startsWith('200 ')) breaches.push(`/ping: ${ping}`);
  return breaches;
}

async function filesThatOthersRead(dataDir: string): Promise<readonly string[]> {
  const readable: string[] = [];
  for (const name of ['engine.users.json', 'engine.sock', 'keys.jsonl', 'clickhouse'])
    await asOtherUser('ls', [join(dataDir, name)]).then(
      () => readable.push(`${name} can be listed by another user`),
      () => {},
    );
  return process.getuid?.() === 0 ? readable : [];
}

function url(port: number, path: string): string {
  // A browser writes some characters of a query in another way than encodeURIComponent().
  return new URL(path, `http://127.0.0.1:${port}`).href;
}

/** @returns status and body */
async function curl(args: readonly string[]): Promise<string> {
  const { stdout } = await asOtherUser('curl', ['-s', '-m', '10', '-w', '\n%{http_code}', ...args]);
  const end = stdout.lastIndexOf('\n');
  return `${stdout.slice(end + 1)} ${stdout.slice(0, end)}`;
}

function asOtherUser(program: string, args: readonly string[]) {
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return promisify(execFile)(program, [...args], { ...user, cwd: '/' });
}
