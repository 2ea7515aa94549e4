import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORD_FILE, readRecordFile } from '../../../../clickhouse/embedded/engine-socket.ts';
import { completeUsers, readUsers, usersFile } from '../../../../clickhouse/embedded/users.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('the files of the engine', () => {
  it('count as missing where they are damaged, so that a start makes them again', async () => {
    const folder = newFolder();
    const whole = completeUsers();
    await writeFile(usersFile(folder), JSON.stringify(whole));
    assert.deepEqual(await readUsers(folder), whole);
    const login = '{"username":"a","password":"b"}';
    for (const text of [
      '',
      'null',
      '{}',
      '{"api":{',
      `{"api":${login},"loader":null,"admin":${login}}`,
      `{"api":${login},"loader":${login},"admin":{"username":"a","password":5}}`,
      `{"api":${login},"loader":${login},"admin":{"username":"a","password":"a\\u0000b"}}`,
    ]) {
      await writeFile(usersFile(folder), text);
      assert.equal(await readUsers(folder), undefined, text);
    }
  });

  it('name no process and no port that cannot be those of an engine', async () => {
    const folder = newFolder();
    const record = { pid: 4711, port: 8123 };
    await writeFile(join(folder, RECORD_FILE), JSON.stringify(record));
    assert.deepEqual(await readRecordFile(folder), record);
    for (const text of [
      '',
      'null',
      '{}',
      '{"pid":"4711","port":8123}',
      '{"pid":4711,"port":99999999}',
      '{"pid":4711,"port":0}',
      '{"pid":0,"port":8123}',
      '{"pid":-1,"port":8123}',
      '{"pid":1,"port":8123}',
      '{"pid":47.5,"port":8123}',
    ]) {
      await writeFile(join(folder, RECORD_FILE), text);
      assert.equal(await readRecordFile(folder), undefined, text);
    }
  });
});
