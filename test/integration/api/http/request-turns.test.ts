import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { DrainingServer } from '../../../../api/http/server.ts';
import { listenOnFreePort } from '../../../support/listen.ts';

const CONNECTIONS = 300;

/**
 * Opens all connections of one client, and then one of another; when all requests are sent, it writes a file. Ends with the
 * last answer.
 */
const clients = (port: number, sentFile: string) => `
  const { request } = require('node:http');
  const ask = (authorization) => new Promise((sent) => {
    const options = { port: ${port}, host: '127.0.0.1', agent: false, headers: { authorization } };
    request(options, (answer) => answer.resume()).on('finish', sent).end();
  });
  Promise.all(Array.from({ length: ${CONNECTIONS} }, () => ask('many')))
    .then(() => ask('one'))
    .then(() => require('node:fs').writeFileSync(${JSON.stringify(sentFile)}, ''));`;

describe('requests', () => {
  it('of a client wait for some of another that has opened hundreds of connections, not for all (D40)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'turns-'));
    const sentFile = join(folder, 'sent');
    const handled: string[] = [];
    const server = new DrainingServer((request, response) => {
      handled.push(request.headers.authorization ?? '');
      // The first request takes until all others wait.
      while (!existsSync(sentFile));
      response.end();
    }, {});
    await promisify(execFile)(process.execPath, ['-e', clients(await listenOnFreePort(server), sentFile)]);
    const closed = once(server, 'close');
    server.close();
    await closed;
    await rm(folder, { recursive: true });
    assert.equal(handled.length, CONNECTIONS + 1);
    assert.ok(
      handled.indexOf('one') < CONNECTIONS / 2,
      `${handled.indexOf('one')} requests were handled before`,
    );
  });
});
