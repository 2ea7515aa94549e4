import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import { after, before, describe, it } from 'mocha';
import { openArchive } from '../../../clickhouse/client.ts';
import { migrate } from '../../../clickhouse/migrate.ts';
import { createTestDatabase, freePort, startTestEngine, type TestEngine } from '../../support/engine.ts';
import { type Filed, folderOf, hourly } from '../../support/replay-folder.ts';
import { replayIem } from '../../support/replay-iem.ts';
import { startLoader } from '../../support/replay-program.ts';
import { readAllReports } from '../../support/use-archive.ts';

describe('the loader as a program', function () {
  this.timeout(60_000);
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine();
  });
  after(() => engine.stop());

  /** The loader's settings for a new archive, and a way to look into it. */
  async function newArchive(): Promise<{ env: Record<string, string>; client: ClickHouseClient }> {
    const database = await createTestDatabase(engine.url);
    const settings = { url: engine.url, username: 'default', password: '', database };
    await migrate(settings);
    return {
      env: { CLICKHOUSE_URL: engine.url, CLICKHOUSE_DATABASE: database },
      client: openArchive(settings),
    };
  }
  const textsIn = async (client: ClickHouseClient, station: string) => {
    const rows = await readAllReports(client, station);
    return rows.map(({ raw }) => raw).sort();
  };
  async function withReplay<T>(
    reports: readonly Filed[],
    work: (url: string, asked: () => number) => Promise<T>,
  ) {
    const folder = await folderOf(reports);
    const replay = await replayIem({ folder: folder.path });
    try {
      return await work(replay.url, () => replay.requests.length);
    } finally {
      await replay.close();
      await folder.remove();
    }
  }

  it('fills an archive with synthetic reports, tells of them, and takes them out again', async () => {
    const { env, client } = await newArchive();
    try {
      const load = await startLoader(
        '--source demo --stations XAAA,XAAB --from 2024-01-01 --to 2024-01-03',
        env,
      ).ended;
      assert.deepEqual(load.code, 0, load.out);
      assert.ok((await textsIn(client, 'XAAA')).length >= 48);
      const status = await startLoader('status', env).ended;
      assert.match(status.out, /2024: 4 of 732 station-days done.*(demo, synthetic)/);
      const removal = await startLoader('remove-demo', env).ended;
      assert.equal(removal.code, 0, removal.out);
      assert.deepEqual(await textsIn(client, 'XAAA'), []);
      assert.match((await startLoader('status', env).ended).out, /The archive is empty/);
    } finally {
      await client.close();
    }
  });

  it('says when a server compresses with LZ4', async () => {
    const { env, client } = await newArchive();
    try {
      const first = await startLoader('migrate', env).ended;
      assert.equal(first.code, 0);
      assert.doesNotMatch(first.out, /LZ4/);
      // All that the archive holds so far.
      await client.command({
        query: "ALTER TABLE migrations MODIFY SETTING default_compression_codec = 'LZ4'",
      });
      await client.command({ query: 'OPTIMIZE TABLE migrations FINAL' });
      const second = await startLoader('migrate', env).ended;
      assert.equal(second.code, 0);
      assert.match(second.out, /LZ4.*clickhouse\/server\/config\.d\/history\.xml/);
    } finally {
      await client.close();
    }
  });

  it('names every mistake and exits with 2 before it opens anything', async () => {
    const { code, out } = await startLoader('--source moon --from 2024-01-01', { CLICKHOUSE_URL: 'nowhere' })
      .ended;
    assert.equal(code, 2);
    for (const named of ['--source', '--stations', '--to', 'CLICKHOUSE_URL'])
      assert.ok(out.includes(named), out);
  });

  it('exits with 3 while days are left, and says which stations they are of', async () => {
    const { env, client } = await newArchive();
    await client.close();
    await withReplay([], async (url) => {
      const line = '--source iem --stations ZZZA --from 2024-01-01 --to 2024-01-03 --interval 0';
      const { code, out } = await startLoader(line, { ...env, IEM_URL: url }).ended;
      assert.equal(code, 3, out);
      assert.match(out, /2 days are not done, of ZZZA/);
    });
  });

  it('tells what it would ask for, and asks nothing', async () => {
    const { env, client } = await newArchive();
    await client.close();
    await withReplay([], async (url, asked) => {
      const line = '--source iem --stations ZZZA --from 2022-12-01 --to 2024-02-01 --dry-run --order newest';
      const { code, out } = await startLoader(line, { ...env, IEM_URL: url }).ended;
      assert.equal(code, 0, out);
      assert.deepEqual(out.trim().split('\n'), [
        'iem ZZZA 2024-01-01 to 2024-02-01',
        'iem ZZZA 2023-01-01 to 2024-01-01',
        'iem ZZZA 2022-12-01 to 2023-01-01',
        '3 slices, 3 requests or more, 0.0 hours at 2 s between requests',
      ]);
      assert.equal(asked(), 0);
    });
  });

  it('takes stations from a file', async () => {
    const { env, client } = await newArchive();
    await client.close();
    const folder = await mkdtemp(join(tmpdir(), 'stations-'));
    await writeFile(join(folder, 'stations.txt'), 'XAAA, XAAB # two\nXAAC\n');
    const line = `--source demo --stations-file ${join(folder, 'stations.txt')} --from 2024-01-01 --to 2024-01-02 --dry-run`;
    const { out } = await startLoader(line, env).ended;
    await rm(folder, { recursive: true });
    assert.match(out, /XAAA.*XAAB.*XAAC.*3 slices/s);
  });

  it('exits with 4 where there is no archive', async () => {
    const env = { CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, out } = await startLoader('status', env).ended;
    assert.equal(code, 4, out);
  });

  it('finishes the slice under way on Ctrl-C, says how to go on, and goes on from there', async () => {
    const { env, client } = await newArchive();
    const reports = ['2021-12-31', '2022-12-31', '2023-12-31', '2024-12-31'].flatMap((day) =>
      hourly('ZZZB', day, 1),
    );
    try {
      await withReplay(reports, async (url, asked) => {
        const line = '--source iem --stations ZZZB --from 2021-12-31 --to 2025-01-01';
        const loader = startLoader(`${line} --interval 0.5`, { ...env, IEM_URL: url });
        while (asked() === 0) await sleep(20);
        loader.kill('SIGINT');
        const { code, out } = await loader.ended;
        assert.equal(code, 130, out);
        assert.match(out, /the same command goes on/);
        const first = (await textsIn(client, 'ZZZB')).length;
        assert.ok(first > 0 && first < reports.length, `${first} of ${reports.length}`);
        const rest = await startLoader(`${line} --interval 0`, { ...env, IEM_URL: url }).ended;
        assert.equal(rest.code, 0, rest.out);
        assert.equal((await textsIn(client, 'ZZZB')).length, reports.length);
      });
    } finally {
      await client.close();
    }
  });

  it('ends in the same archive when it is killed at any moment and started again', async () => {
    const { env, client } = await newArchive();
    const reports = ['ZZZC', 'ZZZD'].flatMap((id) => hourly(id, '2023-06-01', 400));
    const line = '--source iem --stations ZZZC,ZZZD --from 2023-06-01 --to 2024-07-05 --interval 0';
    try {
      await withReplay(reports, async (url, asked) => {
        // Each round lets the loader get a little further: by requests, then by time.
        for (const delay of [0, 60, 120, 250]) {
          const before = asked();
          const loader = startLoader(line, { ...env, IEM_URL: url });
          let over = false;
          const ended = loader.ended.finally(() => {
            over = true;
          });
          while (asked() === before && !over) await sleep(5);
          await sleep(delay);
          loader.kill('SIGKILL');
          await ended;
        }
        const { code, out } = await startLoader(line, { ...env, IEM_URL: url }).ended;
        assert.equal(code, 0, out);
        for (const id of ['ZZZC', 'ZZZD'])
          assert.deepEqual(
            await textsIn(client, id),
            reports.flatMap((report) => (report.id === id ? [report.metar] : [])).sort(),
          );
      });
    } finally {
      await client.close();
    }
  });
});
