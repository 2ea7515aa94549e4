import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashKey, isWellFormedKey } from '../../../api/auth/api-key.ts';
import { isValidKey } from '../../../api/auth/key-store.ts';
import { fileKeyStore } from '../../../api/auth/key-store-file.ts';
import { claimForDemo, demoRequest, openDemoKey, removeDemoKey } from '../../../api/demo.ts';
import { fileUsageStore } from '../../../api/usage/usage-stores.ts';
import type { Archive } from '../../../clickhouse/archive.ts';
import { newFolder } from '../../support/test-run.ts';

describe('demo', () => {
  let dir: string;
  beforeEach(async () => {
    dir = newFolder();
  });

  it('is loaded into a new folder, also one that does not exist', async () => {
    assert.ok(await claimForDemo(join(dir, 'deep', 'data')));
  });

  for (const [file, whose, isClaimed] of [
    ['keys.jsonl', 'keys', true],
    ['demo.4711', 'the draft of a killed start', true],
    ['keys.jsonl.4712', 'the draft of a key', true],
    ['engine.log', 'an engine', false],
    ['demo', 'a demo that was loaded', false],
  ] as const)
    it(`is ${isClaimed ? '' : 'not '}loaded into a folder with the file of ${whose}`, async () => {
      await writeFile(join(dir, file), file === 'demo' ? 'loaded\n' : '');
      assert.equal(await claimForDemo(dir), isClaimed);
    });

  it('is loaded again when the start that was loading it was interrupted', async () => {
    assert.ok(await claimForDemo(dir));
    await writeFile(join(dir, 'engine.sock'), '');
    assert.ok(await claimForDemo(dir));
  });

  it('makes its folder for its owner alone, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await claimForDemo(join(dir, 'deep', 'data'));
      await fileUsageStore(join(dir, 'deep', 'data', 'usage')).replace('2026-01-01', '{}');
    } finally {
      process.umask(before);
    }
    for (const folder of ['deep', 'deep/data', 'deep/data/usage'])
      assert.equal((await stat(join(dir, folder))).mode & 0o777, 0o700, folder);
  });

  it('has a request as one line for the shell', () => {
    assert.match(
      demoRequest('http://127.0.0.1:8080', 'KEY'),
      /^curl -s -H 'Authorization: Bearer KEY' 'http:\/\/127\.0\.0\.1:8080\/v1\/history\/observations\?[^' ]+'$/,
    );
  });
});

describe('demo key', () => {
  let dir: string;
  beforeEach(async () => {
    dir = newFolder();
  });
  const keys = () => fileKeyStore(join(dir, 'keys.jsonl'));
  const keyFile = () => join(dir, 'demo.key');
  /** An archive with reports of these sources. */
  const archiveOf = (...sources: readonly string[]) =>
    ({
      select: async () => Buffer.from(sources.map((source) => `${JSON.stringify({ source })}\n`).join('')),
    }) as unknown as Archive;
  /** The key that a start prints, if any. */
  const start = (...sources: readonly string[]) => openDemoKey(keys(), archiveOf(...sources), dir);
  const isValid = async (key: string) => {
    const record = await keys().find(hashKey(key));
    return record !== undefined && isValidKey(record);
  };

  it('is the same over restarts, in a file for its owner alone, and another one in another folder', async () => {
    const key = (await start('demo')) ?? assert.fail('no key');
    assert.ok(isWellFormedKey(key));
    assert.ok(await isValid(key));
    assert.equal(await readFile(keyFile(), 'utf8'), `${key}\n`);
    assert.equal((await stat(keyFile())).mode & 0o777, 0o600);
    assert.equal(await start('demo'), key);
    assert.equal((await keys().list()).length, 1);
    dir = newFolder();
    assert.notEqual(await start('demo'), key);
  });

  it('is valid, and printed no more, once the archive has real reports', async () => {
    const key = (await start('demo')) ?? assert.fail('no key');
    assert.equal(await start('demo', 'iem'), undefined);
    assert.ok(await isValid(key));
    await rm(keyFile());
    assert.equal(await start('demo', 'iem'), undefined);
    assert.equal((await keys().list()).length, 1);
  });

  it('ends with the demo records, and with DEMO=off', async () => {
    for (const end of [() => start('iem'), () => start(), () => removeDemoKey(keys(), dir)]) {
      const key = (await start('demo')) ?? assert.fail('no key');
      await end();
      assert.ok(!(await isValid(key)));
      await assert.rejects(stat(keyFile()), { code: 'ENOENT' });
      assert.notEqual(await start('demo'), key);
    }
  });

  it('stays revoked when the operator revokes it, until its file is removed', async () => {
    const key = (await start('demo')) ?? assert.fail('no key');
    await keys().change('demo', { status: 'revoked' });
    assert.equal(await start('demo'), undefined);
    assert.ok(!(await isValid(key)));
    await rm(keyFile());
    assert.notEqual((await start('demo')) ?? assert.fail('no key'), key);
  });

  it('is a new one where its file is damaged, lost, or of another list of keys; the old one ends', async () => {
    for (const damage of [
      () => writeFile(keyFile(), 'hist_'),
      () => rm(keyFile()),
      () => rm(join(dir, 'keys.jsonl')),
    ]) {
      const key = (await start('demo')) ?? assert.fail('no key');
      await damage();
      const next = (await start('demo')) ?? assert.fail('no key');
      assert.notEqual(next, key);
      assert.deepEqual([await isValid(key), await isValid(next)], [false, true]);
    }
  });

  it('writes nothing to the list of keys at a start without a demo', async () => {
    await removeDemoKey(keys(), dir);
    await start('iem');
    await assert.rejects(stat(join(dir, 'keys.jsonl')), { code: 'ENOENT' });
  });
});
