import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { openLog } from '../../../../api/ops/log.ts';
import { openRedis } from '../../../../api/redis.ts';
import {
  dayBefore,
  KEEP_DAYS,
  readUsage,
  recordUsage,
  type Usage,
  type UsageStore,
} from '../../../../api/usage/usage.ts';
import { fileUsageStore, redisUsageStore } from '../../../../api/usage/usage-stores.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';
import { newFolder } from '../../../support/test-run.ts';

const ONE: Usage = { requests: 1, refusals: 0, records: 20, bytes: 900 };
const REFUSED: Usage = { requests: 1, refusals: 1, records: 0, bytes: 0 };
const TWO: Usage = { requests: 2, refusals: 1, records: 20, bytes: 900 };
const NOW = Date.now();
const [today, yesterday] = [dayBefore(0, NOW), dayBefore(1, NOW)];
const textOf = (usages: Readonly<Record<string, Usage>>) => `${JSON.stringify(usages)}\n`;

describe('usage of keys', () => {
  let folder: string;
  let server: TestRedis;
  let redis: Redis;
  before(async () => {
    server = await startTestRedis();
    redis = openRedis(server.url);
    await once(redis, 'ready');
  });
  after(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  beforeEach(async () => {
    folder = newFolder();
  });

  for (const [where, open] of [
    ['files', () => fileUsageStore(folder)],
    ['Redis', () => redisUsageStore(redis)],
  ] as const)
    it(`adds up in ${where} what several processes have counted, and counts a repeated write once`, async () => {
      // A server that several runs share holds the usage of others.
      const run = randomBytes(4).toString('hex');
      const [a, b] = [`${run}a`, `${run}b`];
      const read = async (day: string) =>
        (await readUsage(open(), day, assert.fail)).filter(({ key }) => key === a || key === b);
      const [first, second] = [open(), open()];
      assert.deepEqual(await read(today), []);
      await first.replace(today, textOf({ [a]: ONE }));
      for (let time = 0; time < 3; time += 1) await first.replace(today, textOf({ [a]: TWO, [b]: ONE }));
      await second.replace(today, textOf({ [a]: ONE }));
      await second.replace(yesterday, textOf({ [a]: ONE }));
      await second.replace(today, textOf({ [a]: TWO }));
      assert.deepEqual(await read(yesterday), [
        { day: yesterday, key: a, ...ONE },
        { day: today, key: a, requests: 4, refusals: 2, records: 40, bytes: 1800 },
        { day: today, key: b, ...ONE },
      ]);
      assert.equal((await read(today)).length, 2);
    });

  it('says that a value of another type in Redis is not written, and names it when it reads', async () => {
    const name = `usage:${dayBefore(3, NOW)}`;
    await redis.rpush(name, 'a');
    try {
      const store = redisUsageStore(redis);
      const writing = store.replace(dayBefore(3, NOW), textOf({ a: ONE }));
      await assert.rejects(writing, { message: new RegExp(`^${name}: WRONGTYPE`) });
      const named: string[] = [];
      await readUsage(store, dayBefore(3, NOW), (each) => named.push(each));
      assert.deepEqual(named, [name]);
    } finally {
      await redis.del(name);
    }
  });

  const writeDays = (first: string, days: number) =>
    Promise.all(
      Array.from({ length: days }, (_, n) => {
        const day = new Date(Date.parse(first) + n * 86_400_000).toISOString().slice(0, 10);
        return writeFile(join(folder, `${day}.abc.json`), '{}');
      }),
    );

  it('removes files that are older than it keeps, and leaves other files alone', async () => {
    await writeDays(dayBefore(KEEP_DAYS + 5), KEEP_DAYS);
    await writeFile(join(folder, 'notes.txt'), '');
    await fileUsageStore(folder).replace(today, textOf({ a: ONE }));
    assert.ok((await readdir(folder)).includes('notes.txt'));
    await fileUsageStore(folder).replace(today, textOf({ a: ONE }));
    const names = await readdir(folder);
    assert.ok(!names.includes(`${dayBefore(KEEP_DAYS + 5)}.abc.json`));
    assert.ok(names.includes(`${dayBefore(KEEP_DAYS)}.abc.json`));
  });

  it('keeps the files of its last year where the clock is years ahead, for days', async () => {
    const days = KEEP_DAYS - 10;
    const last = '2020-03-05';
    await writeDays(new Date(Date.parse(last) - (days - 1) * 86_400_000).toISOString(), days);
    // Each process begins with a removal; years have passed since the last file, as after a clock that is ahead.
    for (const ago of [3, 2, 1, 0]) await fileUsageStore(folder).replace(dayBefore(ago), textOf({ a: ONE }));
    const kept = (await readdir(folder)).filter((name) => name.endsWith('.abc.json'));
    assert.equal(kept.length, days);
  });

  it('names a damaged file and reads the others', async () => {
    await fileUsageStore(folder).replace(today, textOf({ a: ONE }));
    const damaged = ['', '{', '[1]', '5', '""', 'null', '{"a":{"requests":1}}'];
    for (const [n, text] of damaged.entries()) await writeFile(join(folder, `${today}.${n}.json`), text);
    const named: string[] = [];
    const read = await readUsage(fileUsageStore(folder), today, (path) => named.push(path));
    assert.deepEqual(read, [{ day: today, key: 'a', ...ONE }]);
    assert.deepEqual(
      named.map((path) => basename(path)).sort(),
      damaged.map((_, n) => `${today}.${n}.json`),
    );
  });
});

describe('recorder of usage', () => {
  const logTo = (lines: string[]) => openLog({ write: (line) => lines.push(line) });
  const stores = (failures: number) => {
    const written: [string, string][] = [];
    const store: UsageStore = {
      async replace(day, text) {
        if (failures-- > 0) throw new Error('down');
        written.push([day, text]);
      },
      read: () => Readable.from([]),
    };
    return { store, written };
  };

  it('writes at intervals, and the rest when it stops', async () => {
    const { store, written } = stores(0);
    const recorder = recordUsage(store, logTo([]), 20, () => NOW);
    recorder.count('a', ONE);
    recorder.count('a', REFUSED);
    while (written.length === 0) await sleep(5);
    assert.deepEqual(written, [[today, textOf({ a: TWO })]]);
    recorder.count('b', ONE);
    await recorder.stop();
    assert.deepEqual(written.slice(1), [[today, textOf({ a: TWO, b: ONE })]]);
  });

  it('counts a request on the day (UTC) on which it is over, also where midnight comes before the next write', async () => {
    const { store, written } = stores(0);
    let now = Date.parse('2024-01-31T23:59:59.999Z');
    const recorder = recordUsage(store, logTo([]), 600_000, () => now);
    recorder.count('a', ONE);
    now += 1;
    recorder.count('a', REFUSED);
    recorder.count('a', REFUSED);
    await recorder.stop();
    assert.deepEqual(written, [
      ['2024-01-31', textOf({ a: ONE })],
      ['2024-02-01', textOf({ a: { ...REFUSED, requests: 2, refusals: 2 } })],
    ]);
  });

  it('keeps its counts while the store fails, and says so once', async () => {
    const { store, written } = stores(3);
    const lines: string[] = [];
    const recorder = recordUsage(store, logTo(lines), 5);
    recorder.count('a', ONE);
    await sleep(12);
    recorder.count('a', REFUSED);
    while (written.length === 0) await sleep(5);
    await recorder.stop();
    assert.deepEqual(written.at(-1)?.[1], textOf({ a: TWO }));
    assert.equal(lines.length, 1);
  });
});
