import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { type VerifyCommand, verifyCommand } from '../../../../loader/commands/verify.ts';
import type { Config } from '../../../../loader/config.ts';
import { SYSTEM_TIMER } from '../../../../loader/http/retry-policy.ts';
import { consoleOutput } from '../../../../loader/progress/display.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { freePort } from '../../../support/engine/engine.ts';
import { fastTimer, loadWith, readCommand, runLoader } from '../../../support/loader/run-load.ts';
import { NEVER } from '../../../support/snapshot/snapshot.ts';
import { hourly, type IemReport } from '../../../support/sources/iem-reports.ts';
import type { Fault } from '../../../support/sources/replay-faults.ts';
import { replayIem } from '../../../support/sources/replay-iem.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

type TestArchive = ReturnType<typeof useArchive>;

const load = (archive: TestArchive, line: string, served: readonly IemReport[]) =>
  withReplay(replayIem(served), async ({ url }) => {
    assert.equal((await loadWith(archive.client, iem(url), line)).daysLeft, 0);
  });

/** Runs the command in this process: whether all is equal, and what it printed. */
async function verifyAt(url: string, archive: TestArchive, line: string, timer = SYSTEM_TIMER, stop = NEVER) {
  const printed = new PassThrough();
  const config = { hosts: { iem: url }, userAgent: 'test' } as unknown as Config;
  const context = { archive: archive.client, config, stop, output: consoleOutput(printed, printed) };
  const isEqual = await verifyCommand(context, readCommand<VerifyCommand>(line), timer);
  return { isEqual, out: String(printed.read()) };
}

const verify = (
  archive: TestArchive,
  line: string,
  served: readonly IemReport[],
  faults: readonly Fault[] = [],
) =>
  withReplay(replayIem(served, { faults }), async ({ url, requests }) => {
    const result = await verifyAt(url, archive, line);
    return { ...result, requests: requests.length };
  });

describe('verify', () => {
  const archive = useArchive();
  const reports = hourly('ZZZA', '2023-12-20', 22);
  before(() => load(archive, '--source iem --stations ZZZA --from 2023-12-20 --to 2024-01-11', reports));

  const rows = () =>
    selectRows(archive.client, {
      query:
        'SELECT count() AS rows, (SELECT count() FROM slices) AS slices, sum(cityHash64(raw, version)) AS sum FROM observations',
    });

  it('finds an archive equal to its source and writes nothing', async () => {
    const before = await rows();
    const { isEqual, out, requests } = await verify(archive, 'verify --interval 0', reports);
    assert.ok(isEqual, out);
    assert.match(out, /iem ZZZA 2023-12-20 to 2024-01-01: 308 reports, all equal/);
    assert.match(out, new RegExp(`2 slices, ${reports.length} reports compared: 0 differences`));
    assert.equal(requests, 2);
    assert.deepEqual(await rows(), before);
  });

  it('prints the differences and exits with 3', async () => {
    const [first] = reports.filter(({ valid }) => valid === '2024-01-05 12:51');
    const now = reports
      .filter(({ valid }) => valid !== '2024-01-06 12:51')
      .map((each) => (each === first ? { ...each, metar: `${each.metar} $` } : each));
    const late = {
      id: 'ZZZA',
      valid: '2024-01-07 12:13',
      metar: 'ZZZA 071213Z 18010KT 10SM CLR 10/05 A3002',
    };
    const { code, out } = await withReplay(replayIem([...now, late]), ({ url }) =>
      runLoader(archive, 'verify --sample 5 --from 2024-01-01 --interval 0', { IEM_URL: url }),
    );
    assert.equal(code, 3, out);
    assert.match(out, /1 extra/);
    assert.match(out, /extra: 2024-01-06T12:51:00.000Z ZZZA 061251Z/);
    assert.match(out, /other text: 2024-01-05T12:51:00.000Z ZZZA 051251Z .* \$/);
    assert.match(out, /missing: 2024-01-07T12:13:00.000Z ZZZA 071213Z/);
    assert.match(out, /1 slice, \d+ reports compared: 3 differences, 1 slice not equal/);
  });

  it('says that it has compared nothing if it is stopped first, and not that no day is done', async () => {
    const stop = { ...NEVER, afterSlice: AbortSignal.abort() };
    const { out } = await verifyAt('http://127.0.0.1:1', archive, 'verify', SYSTEM_TIMER, stop);
    assert.equal(out, '0 slices, 0 reports compared: 0 differences, 0 slices not equal\n');
  });

  it('does not count a failed slice as equal', async () => {
    const { isEqual, out } = await verify(archive, 'verify --sample 1 --interval 0', reports, [
      'unprocessable',
    ]);
    assert.ok(!isEqual, out);
    assert.match(out, /not compared: 422/);
  });

  it('ends within two minutes, and says why, where the source cannot be reached', async () => {
    for (const interval of [0, 2, 60]) {
      const timer = fastTimer();
      const url = `http://127.0.0.1:${await freePort()}`;
      const line = `verify --sample 2 --interval ${interval} --source iem`;
      const { isEqual, out } = await verifyAt(url, archive, line, timer);
      assert.equal(isEqual, false);
      assert.match(out, /not compared: connect ECONNREFUSED .*: the source was unavailable for too long/);
      assert.match(out, /2 slices not equal/);
      assert.ok(timer.elapsedMs() < 110_000, `${timer.elapsedMs()} ms at an interval of ${interval} s`);
    }
  });

  it('copies what one table of reports has and the other lacks, and says so', async () => {
    const before = await rows();
    const remove = (table: string, condition: string) =>
      archive.client.command({
        query: `ALTER TABLE ${table} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`,
      });
    await remove('observations', 'toDayOfMonth(observedAt) = 25');
    await remove('station_observations', 'toDayOfMonth(observedAt) = 3');
    const damaged = await verify(archive, 'verify --interval 0', reports);
    assert.ok(!damaged.isEqual, damaged.out);
    assert.match(damaged.out, /2\d rows missing from observations, and copied/);
    assert.match(damaged.out, /2\d rows missing from station_observations, and copied/);
    assert.ok((await verify(archive, 'verify --interval 0', reports)).isEqual);
    assert.deepEqual(await rows(), before);
  });

  it('names the station that has a report under both types', async () => {
    const twice = { at: '2023-12-22T00:00:00Z', station: 'ZZZA' };
    await insert(archive.client, put(report(twice)));
    await insert(archive.client, put(report({ ...twice, type: 'SPECI' })));
    const { isEqual, out } = await verify(archive, 'verify --interval 0', reports);
    assert.ok(!isEqual, out);
    assert.match(
      out,
      /^ZZZA has 1 report of 2023 twice, under both types: load this year of it again with --refetch$/m,
    );
  });
});

describe('verify of all stations', () => {
  const archive = useArchive();

  it('is not equal when no day is done', async () => {
    const { isEqual, out } = await verify(archive, 'verify', []);
    assert.ok(!isEqual, out);
    assert.match(out, /nothing to verify/);
  });

  it('compares a day', async () => {
    const world = ['ZZZA', 'ZZZB'].flatMap((id) => hourly(id, '2024-01-04', 3));
    await load(archive, '--source iem --stations all --from 2024-01-05 --to 2024-01-06', world);
    const { isEqual, out } = await verify(archive, 'verify --interval 0', world);
    assert.ok(isEqual, out);
    assert.match(out, /iem all 2024-01-05 to 2024-01-06: \d+ reports, all equal/);
    const fewer = world.filter(({ valid }) => valid !== '2024-01-05 12:51');
    const less = await verify(archive, 'verify --interval 0', fewer);
    assert.ok(!less.isEqual, less.out);
    assert.match(less.out, /2 extra/);
  });
});
