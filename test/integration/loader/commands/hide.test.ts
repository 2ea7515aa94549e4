import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { newRun } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { ARCHIVE_TIMES } from '../../../../clickhouse/model/time-window.ts';
import { readHiddenReports, recordHidden } from '../../../../clickhouse/observations/hidden-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { hideReports } from '../../../../loader/commands/hide.ts';
import { DECODER_VERSION, decode } from '../../../../loader/decode.ts';
import { redecode } from '../../../../loader/pipeline/redecode.ts';
import { Writer } from '../../../../loader/pipeline/writer.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/snapshot-folder.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { emptyArchive, NO_LIMIT, useArchive } from '../../../support/archive/archive.ts';
import { readFlat } from '../../../support/archive/flat-records.ts';
import { loadWith, runLoader } from '../../../support/loader/run-load.ts';
import { exportTo, NEVER, NO_PROGRESS } from '../../../support/snapshot/snapshot.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { type IemReplay, replayIem } from '../../../support/sources/replay-iem.ts';
import { newFolder } from '../../../support/test-run.ts';

const LOAD = '--source iem --stations ZZZA --from 2024-01-01 --to 2024-01-04';
/** Longer than the other report of its minute, so it counts. */
const WRONG = 'METAR ZZZA 021251Z 18013KT 10SM FEW050 45/05 A3002 RMK AO2 P0100';
const ALONE = 'SPECI ZZZA 021920Z 18013KT 10SM FEW050 M40/M45 A3002';
const REASON = 'sensor\\fault:"45"';
type Row = Readonly<Record<string, unknown>>;

describe('load -- hide and unhide (D84)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  let source: IemReplay;
  before(async () => {
    const extra = { id: 'ZZZA', valid: '2024-01-02 12:51', metar: WRONG };
    const alone = { id: 'ZZZA', valid: '2024-01-02 19:20', metar: ALONE };
    source = await replayIem([...hourly('ZZZA', '2024-01-01', 3), extra, alone]);
    await loadWith(archive.client, iem(source.url), LOAD);
  });
  after(() => source.close());

  const load = () => loadWith(archive.client, iem(source.url), LOAD);
  const run = (args: string) => runLoader(archive, args, { IEM_URL: source.url });
  const RANGE = 'stations=ZZZA&from=2024-01-02&to=2024-01-03';
  const data = async (path: string) =>
    (await api.json<{ readonly data: readonly Row[] }>(`/v1/history/${path}`)).data;
  const records = (more = '') => data(`observations?${RANGE}&limit=100${more}`);
  const idOf = async (raw: string) => {
    const record = (await records()).find((each) => each.raw === raw);
    return String(record?.id);
  };

  /** What series, statistics and days make of 2 January. */
  async function answers() {
    const [hour] = await data(
      'hourly?stations=ZZZA&from=2024-01-02T13:00:00Z&to=2024-01-02T14:00:00Z&fields=temp_c',
    );
    const [statistics] = await data(`statistics?${RANGE}&select=max(temp_c),min(temp_c)`);
    const [day] = await data(`daily?${RANGE}&tz=utc&fields=max_temp_c,min_temp_c,precip_in`);
    return {
      hour: [hour?.temp_c, hour?.n],
      statistics: [statistics?.max_temp_c, statistics?.min_temp_c],
      day: [day?.max_temp_c, day?.min_temp_c, day?.precip_in, day?.n],
    };
  }
  const WITH = { hour: [45, 1], statistics: [45, -40], day: [45, -40, 1, 24] };
  const WITHOUT = { hour: [10, 1], statistics: [18, 10], day: [18, 10, undefined, 24] };
  const countsIn = (client: Archive) =>
    selectRows<Row>(client, {
      query: `SELECT raw, counts FROM station_observations FINAL
        WHERE raw IN ({wrong:String}, {alone:String}) OR observedAt = '2024-01-02 12:51:00' ORDER BY raw`,
      params: { wrong: WRONG, alone: ALONE },
    });
  const HIDDEN_COUNTS = [
    ['METAR ZZZA 021251Z 18013KT 10SM FEW050 45/05 A3002 RMK AO2 P0100', 'no'],
    ['SPECI ZZZA 021920Z 18013KT 10SM FEW050 M40/M45 A3002', 'no'],
    ['ZZZA 021251Z 18010KT 10SM FEW050 10/05 A3002', 'hour'],
  ].map(([raw, counts]) => ({ raw, counts }));

  const assertHidden = async () => {
    assert.deepEqual(await countsIn(archive.client), HIDDEN_COUNTS);
    assert.deepEqual(await answers(), WITHOUT);
  };

  it('keeps a report out of series, statistics and days, and another of its hour counts', async () => {
    assert.deepEqual(await answers(), WITH);
    const ids = [await idOf(WRONG), await idOf(ALONE)];
    const { code, out } = await run(`hide ${ids.join(' ')} --reason ${REASON}`);
    assert.equal(code, 0, out);
    assert.match(out, /^2 reports hidden: sensor/m);
    // Coverage is at most a second old.
    await sleep(1100);
    await assertHidden();
  });

  it('is served with its reason, in every format', async () => {
    const reasons = (rows: readonly Row[]) =>
      rows.flatMap(({ raw, hidden }) => (hidden === undefined || hidden === null ? [] : [[raw, hidden]]));
    const expected = [
      [WRONG, REASON],
      [ALONE, REASON],
    ];
    assert.deepEqual(reasons(await records()), expected);
    assert.deepEqual(reasons(await records('&include=raw,decoded&filter=temp_c%20%3E%2040')), [
      [WRONG, REASON],
    ]);
    const path = `/v1/history/observations.FORMAT?${RANGE}&include=raw`;
    const bytes = (format: string) => api.bytes(path.replace('FORMAT', format));
    const lines = (await bytes('ndjson')).toString().trim().split('\n');
    assert.deepEqual(reasons(lines.map((line) => JSON.parse(line))), expected);
    for (const table of await readFlat(bytes))
      assert.deepEqual(reasons(table.map((row) => ({ ...row, hidden: row.hidden || undefined }))), expected);
    const other = await api.bytes(`/v1/history/observations.csv?stations=ZZZA&from=2024-01-01&to=2024-01-02`);
    assert.doesNotMatch(other.toString(), /hidden/);
    const [coverage] = await data('coverage?stations=ZZZA&from=2024-01-01T00:00:00Z&to=2024-01-04T00:00:00Z');
    assert.match(JSON.stringify(coverage), /"reports":79,/);
  });

  it('survives another load, a removal and a load, and a new decoder', async () => {
    await load();
    await assertHidden();
    const verified = await run('verify --interval 0');
    assert.equal(verified.code, 0, verified.out);
    assert.equal((await run('remove ZZZA --yes')).code, 0);
    await load();
    await assertHidden();
    const writer = new Writer(archive.client, newRun());
    const newer = { version: DECODER_VERSION + 1, decode: (raw: string) => correctionOf(raw) };
    const context = { archive: archive.client, writer, progress: NO_PROGRESS, stop: NEVER };
    await redecode(context, { stations: ['ZZZA'], ...ARCHIVE_TIMES }, newer);
    await writer.close();
    assert.deepEqual(await countsIn(archive.client), HIDDEN_COUNTS);
  });

  it('survives a snapshot, also in an archive that has the report', async () => {
    const folder = join(newFolder(), 'snapshot');
    await exportTo(archive.client, folder);
    const snapshot = await openSnapshot(folder, NO_LIMIT);
    for (const isLoaded of [false, true]) {
      const other = await emptyArchive();
      if (isLoaded) await loadWith(other.client, iem(source.url), LOAD);
      await importSnapshot({ archive: other.client, progress: NO_PROGRESS, stop: NEVER }, snapshot);
      assert.deepEqual(await countsIn(other.client), HIDDEN_COUNTS);
      assert.deepEqual(
        (await readHiddenReports(other.client)).map(({ reason }) => reason),
        [REASON, REASON],
      );
      await other.close();
    }
  });

  it('is hidden by the next loader where hide was killed after its note, or unhide before its own', async () => {
    const id = await idOf(WRONG);
    assert.equal((await run(`unhide ${id}`)).code, 0);
    assert.equal((await countsIn(archive.client))[0]?.counts, 'hour');
    const observedAt = Date.parse('2024-01-02T12:51:00Z') / 1000;
    const window = { from: observedAt, to: observedAt + 60 };
    const report = { station: 'ZZZA', observedAt, type: 'METAR', fingerprint: id.slice(-8) } as const;
    const assertHiddenByNext = async () => {
      const killed = { run: newRun(), ...window, isOpen: true, at: '2024-01-01 00:00:00' };
      await archive.client.insert({ table: 'writers', rows: [killed] });
      const next = new Writer(archive.client, newRun());
      await next.write({ stations: ['ZZZB'], ...window }, async () => {});
      await next.close();
      await assertHidden();
      assert.equal((await readHiddenReports(archive.client)).length, 2);
    };
    await recordHidden(archive.client, [report], { isHidden: true, reason: REASON });
    await assertHiddenByNext();
    for (const killedAt of [/observations/, /hidden_reports/]) {
      const insert: Archive['insert'] = async (given) =>
        killedAt.test(given.table) ? assert.fail('killed') : archive.client.insert(given);
      const unhide = hideReports({ ...archive.client, insert }, [report], { isHidden: false, reason: '' });
      await assert.rejects(unhide, /killed/);
      await assertHiddenByNext();
    }
  });

  it('refuses what it does not know, lists what is hidden, and shows it again', async () => {
    const ids = [await idOf(WRONG), await idOf(ALONE)];
    const unknown = Array.from({ length: 11 }, (_, n) => `ZZZA-2024010212${n + 10}-00000000`).join();
    // Node warns of eleven statements at once: each listens to the signal that ends the command.
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    for (const args of [`hide ${unknown} --reason x`, `unhide ${unknown}`]) {
      const { code, out } = await run(args);
      assert.match(`${code} ${out}`, /^2 ZZZA-202401021210-0{8} is not in the archive\n(.*\n){10}Nothing/);
    }
    process.off('warning', note);
    assert.deepEqual(warnings, []);
    const { stdout } = await run('hide');
    assert.match(
      stdout,
      /^ZZZA-202401021251-\w{8} METAR hidden 20\S+Z: sensor.*\n.* SPECI hidden .*\n2 hidden reports$/m,
    );
    // As of a server whose clock was ahead.
    const ahead =
      'INSERT INTO hidden_reports SELECT * REPLACE (at + INTERVAL 2 HOUR AS at) FROM hidden_reports';
    await archive.client.command({ query: ahead });
    const { code, out } = await run(`unhide ${ids.join(',')}`);
    assert.equal(code, 0, out);
    assert.match(out, /^2 reports shown$/m);
    assert.match((await run(`unhide ${ids[0]}`)).stdout, /^ZZZA-\S+ was not hidden\n1 report shown$/m);
    await sleep(1100);
    assert.deepEqual(await answers(), WITH);
    assert.equal(
      (await records()).some((record) => 'hidden' in record),
      false,
    );
  });
});

/** A decoder that finds a correction in the report that is hidden, which would make it count. */
function correctionOf(raw: string): ReturnType<typeof decode> {
  const { fields, unexplained } = decode(raw);
  return { fields: raw === WRONG ? { ...fields, cor: true } : fields, unexplained };
}
