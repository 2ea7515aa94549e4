import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const CONFIG = fileURLToPath(new URL('../../../clickhouse/server/config.d/history.xml', import.meta.url));
const LOADER = createRequire(createRequire(import.meta.url).resolve('chdb')).resolve('./dist/loader.js');

const PROGRAM = `
  const [loader, path, config] = process.argv.slice(1);
  const chdb = require(loader).loadNative();
  const connection = chdb.CreateConnection(path, ['--implicit_select=0', '--config-file=' + config]);
  (async () => {
    const statements = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    let answer;
    for (const statement of statements) answer = await chdb.QueryAsyncConnection(connection, statement, 'TSV');
    process.stdout.write(answer.bytes);
    chdb.CloseConnection(connection);
  })();`;

/**
 * Runs statements in a process of their own, by chDB's own binding, with the configuration of a server that the
 * listener of the embedded engine cannot read. The embedded engine of versions before 0.2 left its files this way.
 *
 * @returns what the last statement printed
 */
export async function runInProcess(path: string, statements: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--eval', PROGRAM, LOADER, path, CONFIG]);
  child.stdin.end(JSON.stringify(statements));
  const [printed, failure] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (failure !== '') throw new Error(failure);
  return printed.trim();
}
