import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { DrainingServer } from '../../../../api/http/draining-server.ts';
import { listenOnFreePort } from '../../../support/listen.ts';

const CONNECTIONS = 300;
const HANDLING_MS = 5;

/** Opens all connections of one client at once, and soon after one of another; ends with the last answer. */
const clients = (port: number) => `
  const { request } = require('node:http');
  const ask = (authorization) =>
    request({ port: ${port}, host: '127.0.0.1', agent: false, headers: { authorization } }, (answer) => answer.resume()).end();
  for (let n = 0; n < ${CONNECTIONS}; n += 1) ask('many');
  setTimeout(ask, 100, 'one');`;

describe('requests', () => {
  it('of a client wait for some of another that has opened hundreds of connections, not for all (D40)', async () => {
    const handled: string[] = [];
    const server = new DrainingServer((request, response) => {
      handled.push(request.headers.authorization ?? '');
      for (const end = performance.now() + HANDLING_MS; performance.now() < end; );
      response.end();
    }, {});
    await promisify(execFile)(process.execPath, ['-e', clients(await listenOnFreePort(server))]);
    const closed = once(server, 'close');
    server.close();
    await closed;
    assert.equal(handled.length, CONNECTIONS + 1);
    assert.ok(
      handled.indexOf('one') < CONNECTIONS / 2,
      `${handled.indexOf('one')} requests were handled before`,
    );
  });
});
