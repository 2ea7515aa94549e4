import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { recordUsage } from '../../../../api/usage/recorder.ts';
import { fileUsageStore } from '../../../../api/usage/store-file.ts';
import { dayBefore, KEEP_DAYS, type Usage, type UsageStore } from '../../../../api/usage/usage.ts';

const ONE: Usage = { requests: 1, refusals: 0, records: 20, bytes: 900 };
const REFUSED: Usage = { requests: 1, refusals: 1, records: 0, bytes: 0 };
const today = dayBefore(0);

describe('usage of keys in files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('adds up what several processes and several writes have counted', async () => {
    const [first, second] = [fileUsageStore(folder), fileUsageStore(folder)];
    assert.deepEqual(await fileUsageStore(join(folder, 'none')).read(today), []);
    await first.add(today, new Map([['a', ONE]]));
    await first.add(
      today,
      new Map([
        ['a', REFUSED],
        ['b', ONE],
      ]),
    );
    await second.add(today, new Map([['a', ONE]]));
    await second.add(dayBefore(1), new Map([['a', ONE]]));
    assert.deepEqual(await first.read(dayBefore(1)), [
      { day: dayBefore(1), key: 'a', ...ONE },
      { day: today, key: 'a', requests: 3, refusals: 1, records: 40, bytes: 1800 },
      { day: today, key: 'b', ...ONE },
    ]);
    assert.equal((await first.read(today)).length, 2);
  });

  it('removes what is older than it keeps, and leaves other files alone', async () => {
    const old = `${dayBefore(KEEP_DAYS + 1)}.abc.json`;
    await writeFile(join(folder, old), '{}');
    await writeFile(join(folder, 'notes.txt'), '');
    await fileUsageStore(folder).add(today, new Map([['a', ONE]]));
    const names = await readdir(folder);
    assert.ok(names.includes('notes.txt') && !names.includes(old) && names.length === 2, names.join());
  });
});

describe('recorder of usage', () => {
  const stores = (failures: number) => {
    const added: [string, Map<string, Usage>][] = [];
    const store: UsageStore = {
      async add(day, usages) {
        if (failures-- > 0) throw new Error('down');
        added.push([day, new Map(usages)]);
      },
      read: async () => [],
    };
    return { store, added };
  };

  it('writes at intervals, and the rest when it stops', async () => {
    const { store, added } = stores(0);
    const recorder = recordUsage(store, (error) => assert.fail(String(error)), 20);
    recorder.count('a', ONE);
    recorder.count('a', REFUSED);
    while (added.length === 0) await sleep(5);
    assert.deepEqual(added, [
      [today, new Map([['a', { requests: 2, refusals: 1, records: 20, bytes: 900 }]])],
    ]);
    recorder.count('b', ONE);
    await recorder.stop();
    assert.deepEqual(added[1], [today, new Map([['b', ONE]])]);
    assert.equal(added.length, 2);
  });

  it('keeps its counts while the store fails, and says so once', async () => {
    const { store, added } = stores(3);
    const errors: unknown[] = [];
    const recorder = recordUsage(store, (error) => errors.push(error), 5);
    recorder.count('a', ONE);
    await sleep(12);
    recorder.count('a', ONE);
    while (added.length === 0) await sleep(5);
    await recorder.stop();
    const requests = added.reduce((sum, [, usages]) => sum + (usages.get('a')?.requests ?? 0), 0);
    assert.deepEqual([requests, errors.length], [2, 1]);
  });
});
