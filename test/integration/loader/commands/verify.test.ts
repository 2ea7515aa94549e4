import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { openArchive } from '../../../../clickhouse/client.ts';
import { FIRST_DAY } from '../../../../clickhouse/model/day.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { verifyCommand } from '../../../../loader/commands/verify.ts';
import type { Config } from '../../../../loader/config.ts';
import { consoleOutput } from '../../../../loader/progress/display.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { day } from '../../../support/archive/ledger.ts';
import { freePort } from '../../../support/engine/engine.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { startLoader } from '../../../support/process.ts';
import { NEVER } from '../../../support/snapshot/snapshot.ts';
import { hourly, type IemReport } from '../../../support/sources/iem-reports.ts';
import type { Fault } from '../../../support/sources/replay-faults.ts';
import { replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

describe('verify', () => {
  const archive = useArchive('each');

  const load = (line: string, served: readonly IemReport[]) =>
    withReplay(replayIem(served), async ({ url }) => {
      assert.equal((await loadWith(archive.client, iem(url), line)).daysLeft, 0);
    });
  const run = (line: string, served: readonly IemReport[], faults: readonly Fault[] = []) =>
    withReplay(replayIem(served, { faults }), async ({ url, requests }) => {
      const env = { CLICKHOUSE_URL: archive.url, CLICKHOUSE_DATABASE: archive.database, IEM_URL: url };
      return { ...(await startLoader(line, env).finished), requests: requests.length };
    });
  const rows = async (): Promise<unknown> => {
    const { url, database } = archive;
    const client = openArchive({ url, username: 'default', password: '', database });
    const query =
      'SELECT count() AS rows, (SELECT count() FROM slices) AS slices, sum(cityHash64(raw, version)) AS sum FROM observations';
    return selectRows(client, { query }).finally(() => client.close());
  };
  const LOAD = '--source iem --stations ZZZA --from 2023-12-20 --to 2024-01-11';
  const reports = hourly('ZZZA', '2023-12-20', 22);

  it('finds an archive equal to its source and writes nothing', async () => {
    await load(LOAD, reports);
    const before = await rows();
    const { code, out, requests } = await run('verify --interval 0', reports);
    assert.equal(code, 0, out);
    assert.match(out, /iem ZZZA 2023-12-20 to 2024-01-01: 308 reports, all equal/);
    assert.match(out, new RegExp(`2 slices, ${reports.length} reports compared: 0 differences`));
    assert.equal(requests, 2);
    assert.deepEqual(await rows(), before);
  });

  it('copies what one table of reports has and the other lacks, and says so', async () => {
    await load(LOAD, reports);
    const before = await rows();
    const remove = (table: string, condition: string) =>
      archive.client.command({
        query: `ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`,
      });
    await remove('observations', 'toDayOfMonth(observedAt) = 25');
    await remove('station_observations', 'toDayOfMonth(observedAt) = 3');
    const damaged = await run('verify --interval 0', reports);
    assert.equal(damaged.code, 3, damaged.out);
    assert.match(damaged.out, /2\d rows missing from observations, and copied/);
    assert.match(damaged.out, /2\d rows missing from station_observations, and copied/);
    assert.equal((await run('verify --interval 0', reports)).code, 0);
    assert.deepEqual(await rows(), before);
  });

  it('names the station that has a report under both types', async () => {
    await load(LOAD, reports);
    await insert(archive.client, put(report({ at: '2023-12-22T00:00:00Z', station: 'ZZZA' })));
    await insert(archive.client, put(report({ at: '2023-12-22T00:00:00Z', station: 'ZZZA', type: 'SPECI' })));
    const { code, out } = await run('verify --interval 0', reports);
    assert.equal(code, 3, out);
    assert.match(
      out,
      /^ZZZA has 1 report of 2023 twice, under both types: load this year of it again with --refetch$/m,
    );
  });

  it('compares a day of all stations', async () => {
    const world = ['ZZZA', 'ZZZB'].flatMap((id) => hourly(id, '2024-01-04', 3));
    await load('--source iem --stations all --from 2024-01-05 --to 2024-01-06', world);
    const { code, out } = await run('verify --interval 0', world);
    assert.equal(code, 0, out);
    assert.match(out, /iem all 2024-01-05 to 2024-01-06: \d+ reports, all equal/);
    const less = await run(
      'verify --interval 0',
      world.filter(({ valid }) => valid !== '2024-01-05 12:51'),
    );
    assert.equal(less.code, 3, less.out);
    assert.match(less.out, /2 extra/);
  });

  it('prints the differences and exits with 3', async () => {
    await load(LOAD, reports);
    const [first] = reports.filter(({ valid }) => valid === '2024-01-05 12:51');
    const now = reports
      .filter(({ valid }) => valid !== '2024-01-06 12:51')
      .map((each) => (each === first ? { ...each, metar: `${each.metar} $` } : each));
    const late = {
      id: 'ZZZA',
      valid: '2024-01-07 12:13',
      metar: 'ZZZA 071213Z 18010KT 10SM CLR 10/05 A3002',
    };
    const { code, out } = await run('verify --sample 5 --from 2024-01-01 --interval 0', [...now, late]);
    assert.equal(code, 3, out);
    assert.match(out, /1 extra/);
    assert.match(out, /extra: 2024-01-06T12:51:00.000Z ZZZA 061251Z/);
    assert.match(out, /other text: 2024-01-05T12:51:00.000Z ZZZA 051251Z .* \$/);
    assert.match(out, /missing: 2024-01-07T12:13:00.000Z ZZZA 071213Z/);
    assert.match(out, /1 slice, \d+ reports compared: 3 differences, 1 slice not equal/);
  });

  it('does not count a failed slice as equal', async () => {
    await load(LOAD, reports);
    const { code, out } = await run('verify --sample 1 --interval 0', reports, ['unprocessable']);
    assert.equal(code, 3, out);
    assert.match(out, /not compared: 422/);
  });

  it('ends within two minutes, and says why, where the source cannot be reached', async () => {
    await load(LOAD, reports);
    let elapsed = 0;
    const timer = {
      elapsedMs: () => elapsed,
      sleep: async (ms: number) => {
        elapsed += ms;
      },
    };
    for (const interval of [0, 2, 60]) {
      elapsed = 0;
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const hosts = { iem: `http://127.0.0.1:${await freePort()}` };
      const config = { hosts, userAgent: 'test' } as unknown as Config;
      const output = consoleOutput(stdout, stderr);
      const isEqual = await verifyCommand(
        { archive: archive.client, config, stop: NEVER, output },
        {
          kind: 'verify',
          sample: 2,
          sources: ['iem'],
          scope: { stations: [], firstDay: FIRST_DAY, endDay: day('2024-02-01') },
          intervalSeconds: interval,
        },
        timer,
      );
      const out = String(stdout.read());
      assert.equal(isEqual, false);
      assert.match(out, /not compared: connect ECONNREFUSED .*: the source was unavailable for too long/);
      assert.match(out, /2 slices not equal/);
      assert.ok(elapsed < 110_000, `${elapsed} ms at an interval of ${interval} s`);
    }
  });

  it('exits with 3 when no day is done', async () => {
    const { code, out } = await run('verify', []);
    assert.equal(code, 3, out);
    assert.match(out, /nothing to verify/);
  });
});
