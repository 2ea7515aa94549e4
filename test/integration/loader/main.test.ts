import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selectRows } from '../../../clickhouse/statements/select.ts';
import { readAllReports, useArchive } from '../../support/archive/archive.ts';
import { freePort, joinEngineWithLogins } from '../../support/engine/engine.ts';
import { listenOnFreePort } from '../../support/listen.ts';
import { runLoader } from '../../support/loader/run-load.ts';
import { ROOT, startLoader } from '../../support/process.ts';
import { hourly } from '../../support/sources/iem-reports.ts';
import { replayIem } from '../../support/sources/replay-iem.ts';
import { withReplay } from '../../support/sources/replay-server.ts';
import { newFolder } from '../../support/test-run.ts';

describe('loader program', () => {
  const archive = useArchive('each');
  /** Runs the program over the archive of the test. */
  const startHere = (args: string, more: Readonly<Record<string, string>> = {}, folder?: string) =>
    startLoader(
      args,
      { CLICKHOUSE_URL: archive.url, CLICKHOUSE_DATABASE: archive.database, ...more },
      folder,
    );
  const textsIn = async (station: string) => {
    const rows = await readAllReports(archive.client, station);
    return rows.map(({ raw }) => raw).sort();
  };

  it('says in one line that it cannot use its folder', async () => {
    const file = join(newFolder(), 'data');
    await writeFile(file, '');
    const { code, out } = await startLoader('status', { DATA_DIR: file }).finished;
    assert.match(out, /^The archive in \S+data cannot be opened: DATA_DIR \S+ cannot be used: \w+: .*\n$/);
    assert.equal(code, 1);
  });

  it('says in one line which settings are wrong where ClickHouse refuses the login', async () => {
    const { code, out } = await startHere('status', { CLICKHOUSE_USER: 'nobody' }).finished;
    assert.equal(out, 'ClickHouse refuses the login: check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.\n');
    assert.equal(code, 4);
  });

  it('says in one line that the user may not write, and who may', async () => {
    const engine = await joinEngineWithLogins(newFolder());
    const run = (args: string, { username, password } = engine.users.admin) => {
      const login = { CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password };
      return startLoader(args, { CLICKHOUSE_URL: engine.url, ...login }).finished;
    };
    const early = await run('status', engine.users.api);
    await run('migrate');
    const { code, out } = await run('remove XAAA --yes', engine.users.api);
    await engine.leave();
    assert.match(early.out, /^The archive in .* cannot be opened: .* lacks observations, station_.*\n$/);
    assert.match(out, /^The user of CLICKHOUSE_USER may not write to the archive: .* history_loader\.\n$/m);
    assert.equal(code, 2);
  });

  it('loads demo reports, prints their status, and deletes them', async () => {
    const line = '--source demo --stations XAAA,XAAB --from 2024-01-01 --to 2024-01-03';
    const load = await runLoader(archive, line);
    assert.equal(load.code, 0, load.out);
    assert.ok((await textsIn('XAAA')).length >= 48);
    const status = await runLoader(archive, 'status');
    assert.match(status.out, /2024: 4 of 732 station-days done.*(demo, synthetic)/);
    // From its source, as users run it.
    const removal = await startHere('remove-demo', {}, ROOT).finished;
    assert.equal(removal.code, 0, removal.out);
    assert.deepEqual(await textsIn('XAAA'), []);
    assert.match((await runLoader(archive, 'status')).out, /The archive is empty/);
  });

  it('names a mistake in the arguments and those in the settings, and exits with 2 before it opens the archive', async () => {
    const line = '--source moon --from 2024-01-01';
    const { code, out } = await startLoader(line, { CLICKHOUSE_URL: 'nowhere' }).finished;
    assert.equal(code, 2);
    for (const named of ['--source', 'CLICKHOUSE_URL']) assert.ok(out.includes(named), out);
  });

  it('exits with 3 when days are left, and names their stations', async () => {
    const rejecting = replayIem(hourly('ZZZA', '2024-01-01', 1), { faults: ['unprocessable'] });
    await withReplay(rejecting, async ({ url }) => {
      const line = '--source iem --stations ZZZA --from 2024-01-01 --to 2024-01-03 --interval 0';
      const { code, out } = await runLoader(archive, line, { IEM_URL: url });
      assert.equal(code, 3, out);
      assert.match(out, /2 days not done \(ZZZA\); run the same command to retry\./);
    });
  });

  it('says that no source lists a station, keeps nothing of it, and exits with 2 where it is the only one', async () => {
    await withReplay(replayIem(hourly('ZZZA', '2024-01-01', 1)), async ({ url }) => {
      const days = '--from 2024-01-01 --to 2024-01-02 --interval 0';
      const said =
        /^ZZZZ is not listed by any source, and iem sent no report of it: check the spelling\. Nothing of it is kept\.$/m;
      for (const [stations, expected] of Object.entries({ ZZZZ: 2, 'ZZZA,ZZZZ': 3 })) {
        const line = `--source iem --stations ${stations} ${days}`;
        const { code, out } = await runLoader(archive, line, { IEM_URL: url });
        assert.equal(code, expected, out);
        assert.match(out, said);
        assert.doesNotMatch(out, /run the same command/);
      }
    });
    const { stations } = JSON.parse((await runLoader(archive, 'status all --json')).stdout);
    assert.deepEqual(
      stations.map(({ station }: { station: string }) => station),
      ['ZZZA'],
    );
    for (const table of ['slices', 'coverage', 'stations', 'station_descriptions']) {
      const query = `SELECT * FROM ${table} WHERE station = 'ZZZZ'`;
      assert.deepEqual(await selectRows(archive.client, { query }), [], table);
    }
  });

  it('ends quietly when its output is not read to the end', async () => {
    const day = '--source demo --stations XAAA --from 2024-01-01 --to 2024-01-02';
    assert.equal((await runLoader(archive, day)).code, 0);
    for (const [args, expected] of Object.entries({ '--help': 0, 'gaps --all': 3 })) {
      const loader = startHere(args);
      loader.closeOutput();
      const { code, out } = await loader.finished;
      assert.deepEqual([code, out], [expected, ''], args);
    }
  });

  it('prints every line as JSON with LOG_FORMAT=json: progress, results, errors and the usage', async () => {
    const events = new Set<string>();
    const run = async (args: string, expected: number, more = {}, runs = runLoader) => {
      const { code, out } = await runs(archive, args, { LOG_FORMAT: 'json', ...more });
      assert.equal(code, expected, `${args}: ${out}`);
      for (const line of out.trim().split('\n')) {
        const { time, event, text } = JSON.parse(line);
        assert.deepEqual([Number.isNaN(Date.parse(time)), typeof text], [false, 'string'], line);
        events.add(event);
      }
    };
    await run('--source demo --stations XAAA --from 2024-01-01 --to 2024-01-02', 0);
    for (const args of ['status', 'status --json', 'gaps']) await run(args, 0);
    await run('gaps --all', 3);
    const program: typeof runLoader = (_, args, more) => startHere(args, more).finished;
    await run('--help', 0, {}, program);
    await run('status now', 2, {}, program);
    await run('status', 4, { CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}` }, program);
    const unlisted = 'iem --stations ZZZA --from 2024-01-01 --to 2024-01-02 --interval 0';
    await withReplay(replayIem([]), ({ url }) => run(`--source ${unlisted}`, 2, { IEM_URL: url }));
    assert.deepEqual([...events].sort(), ['begin', 'message', 'progress', 'result']);
  });

  it('prints the slices of a dry run and sends no request', async () => {
    await withReplay(replayIem([]), async ({ url, requests }) => {
      const line = '--source iem --stations ZZZA --from 2022-12-01 --to 2024-02-01 --dry-run --order newest';
      const { code, out } = await runLoader(archive, line, { IEM_URL: url });
      assert.equal(code, 0, out);
      assert.deepEqual(out.trim().split('\n'), [
        'iem ZZZA 2024-01-01 to 2024-02-01',
        'iem ZZZA 2023-01-01 to 2024-01-01',
        'iem ZZZA 2022-12-01 to 2023-01-01',
        '3 slices, at least 3 requests: 6 s at 2 s between requests',
      ]);
      const days = '--source iem --stations all --from 2022-12-30 --to 2023-02-01 --dry-run';
      const all = await runLoader(archive, days, { IEM_URL: url });
      assert.equal(all.out.split('\n')[0], 'iem all 2022-12-30 to 2023-02-01, 33 slices');
      assert.equal(requests.length, 0);
    });
  });

  it('says why there is nothing to load', async () => {
    const replay = await replayIem(hourly('ZZZA', '2024-01-01', 24), {
      periods: { ZZZA: { archive_begin: '2023-01-01', archive_end: '2024-06-30' } },
    });
    const say = async (args: string) =>
      (await runLoader(archive, `${args} --interval 0`, { IEM_URL: replay.url })).stdout.trim();
    const day = '--source iem --stations ZZZA --from 2024-01-01 --to 2024-01-02';
    assert.match(await say(day), /^1 of 1 slices loaded/);
    const done = 'every day is done; --refetch requests done days too';
    for (const [args, reason] of [
      [day, done],
      [`${day} --dry-run`, done],
      [
        '--source iem --stations ZZZA --from 2020-01-01 --to 2021-01-01',
        'iem lists ZZZA from 2022-12-31 to 2024-07-01',
      ],
      ['--source iem --stations ZZZA --from 2999-01-01 --to 2999-02-01', '2999-01-01 has not begun'],
      [
        '--source ncei --stations ZZZA --from 2025-09-01 --to 2025-10-01',
        'the last day of ncei is 2025-08-28',
      ],
    ] as const)
      assert.equal(await say(args), `nothing to load: ${reason}`);
    await replay.close();
  });

  it('keeps what a load has brought and why it failed, for status and gaps', async () => {
    const faults = ['none', 'none', 'unprocessable'] as const;
    await withReplay(replayIem(hourly('ZZZA', '2024-01-01', 80), { faults }), async ({ url }) => {
      const say = async (args: string) =>
        (await runLoader(archive, args, { IEM_URL: url })).stdout.trim().split('\n');
      const load = '--source iem --stations ZZZA --interval 0';
      assert.match(
        (await say(`${load} --from 2024-01-01 --to 2024-01-11`))[0] ?? '',
        /^1 of 1 slices loaded/,
      );
      await say(`${load} --from 2024-03-01 --to 2024-03-05`);
      const status = await say('status');
      const reason = 'ZZZA 2024-03-01 to 2024-03-05: not loaded: 422 Invalid times provided\\.';
      assert.match(status.at(-2) ?? '', /^newest report: 2024-01-\d\dT[\d:]+Z, \d+ days ago$/);
      assert.match(
        status.at(-1) ?? '',
        new RegExp(
          `^iem: last load [-\\dT:]+Z, \\d+ s ago, \\d+ new reports; last failure [-\\dT:]+Z, \\d+ s ago: ${reason}$`,
        ),
      );
      const json = JSON.parse((await say('status --json'))[0] ?? '');
      assert.match(json.newestReport, /^2024-01-/);
      assert.equal(json.sources[0].source, 'iem');
      assert.match(json.sources[0].lastFailure.reason, /422/);
      assert.deepEqual(await say('gaps'), [
        'npm run load -- --source iem --stations ZZZA --from 2024-03-01 --to 2024-03-05  # 4 days not done',
      ]);
      const [gaps = ''] = await say('gaps ZZZA --json');
      assert.deepEqual(JSON.parse(gaps), {
        loads: [
          {
            kind: 'not done',
            source: 'iem',
            stations: ['ZZZA'],
            from: '2024-03-01',
            to: '2024-03-05',
            refetch: false,
            reason: '4 days not done',
            command: 'npm run load -- --source iem --stations ZZZA --from 2024-03-01 --to 2024-03-05',
          },
        ],
        unfillable: { days: 0, stations: 0 },
      });
    });
  });

  it('finishes the current slice on Ctrl-C, and the same command resumes', async () => {
    const reports = ['2021-12-31', '2022-12-31', '2023-12-31', '2024-12-31'].flatMap((day) =>
      hourly('ZZZB', day, 1),
    );
    await withReplay(replayIem(reports), async ({ url, requests }) => {
      const line = '--source iem --stations ZZZB --from 2021-12-31 --to 2025-01-01';
      const loader = startHere(`${line} --interval 0.7`, { IEM_URL: url });
      while (requests.length === 0) await sleep(20);
      loader.kill('SIGINT');
      const { code, out } = await loader.finished;
      assert.equal(code, 130, out);
      assert.match(out, /Interrupted\. Run the same command to resume\./);
      const first = (await textsIn('ZZZB')).length;
      assert.ok(first > 0 && first < reports.length, `${first} of ${reports.length}`);
      const rest = await runLoader(archive, `${line} --interval 0`, { IEM_URL: url });
      assert.equal(rest.code, 0, rest.out);
      assert.equal((await textsIn('ZZZB')).length, reports.length);
    });
  });

  it('ends after one SIGTERM while a source never answers or asks for an hour', async () => {
    const answers = {
      'never answers': () => {},
      'asks for an hour': (response: ServerResponse) =>
        response.writeHead(503, { 'retry-after': '3600' }).end(),
    };
    const ends = Object.entries(answers).map(async ([name, respond]) => {
      let requests = 0;
      const source = createServer((_, response) => {
        requests += 1;
        respond(response);
      });
      const url = `http://127.0.0.1:${await listenOnFreePort(source)}`;
      const loader = startHere('--source iem --stations ZZZE --from 2023-06-01 --to 2024-07-05', {
        IEM_URL: url,
      });
      while (requests === 0) await sleep(20);
      loader.kill('SIGTERM');
      const { code, out } = await loader.finished;
      source.closeAllConnections();
      source.close();
      assert.equal(code, 130, `${name}: ${out}`);
      assert.match(out, /Run the same command to resume/, name);
    });
    await Promise.all(ends);
  });

  it('ends with the same archive when it is killed and started again', async () => {
    const reports = ['ZZZC', 'ZZZD'].flatMap((id) => hourly(id, '2023-11-01', 100));
    const line = '--source iem --stations ZZZC,ZZZD --from 2023-11-01 --to 2024-02-09 --interval 0';
    await withReplay(replayIem(reports), async ({ url, requests }) => {
      // In each round the loader gets further: one request more, then a longer delay.
      for (const delay of [0, 120]) {
        const before = requests.length;
        const loader = startHere(line, { IEM_URL: url });
        let hasEnded = false;
        const ended = loader.finished.finally(() => {
          hasEnded = true;
        });
        while (requests.length === before && !hasEnded) await sleep(5);
        await sleep(delay);
        loader.kill('SIGKILL');
        await ended;
      }
      const { code, out } = await runLoader(archive, line, { IEM_URL: url });
      assert.equal(code, 0, out);
      for (const id of ['ZZZC', 'ZZZD'])
        assert.deepEqual(
          await textsIn(id),
          reports.flatMap((report) => (report.id === id ? [report.metar] : [])).sort(),
        );
    });
  });
});
