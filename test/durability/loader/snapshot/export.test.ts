import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { FIRST_DAY } from '../../../../clickhouse/model/day.ts';
import { SnapshotError } from '../../../../clickhouse/snapshot/manifest.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { exportCommand } from '../../../../loader/commands/snapshot.ts';
import { consoleOutput } from '../../../../loader/progress/display.ts';
import { openSnapshotFolder } from '../../../../loader/snapshot/snapshot-folder.ts';
import {
  insert,
  NO_LIMIT,
  put,
  readAllReports,
  report,
  retract,
  useArchive,
} from '../../../support/archive/archive.ts';
import { askDuckdb } from '../../../support/archive/flat-records.ts';
import { day, list, recordDone } from '../../../support/archive/ledger.ts';
import { exportTo, NEVER, readManifest } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const GUIDE = await readFile(new URL('../../../../docs/snapshots.md', import.meta.url), 'utf8');
const [, QUERY = ''] = /```sql\n([\s\S]+?)```/.exec(GUIDE) ?? [];
const [FINGERPRINT] = /coalesce\([\s\S]+?\n {4}\)/.exec(QUERY) ?? [];
/** Its fingerprint is that of the text without `COR`. */
const CORRECTED = 'METAR XAAA 050107Z COR 18004KT CAVOK 12/07 Q1013 $';
const RUN = '2024-05-01T00:00:00.000Z-00000001';

/** Inserts into only one table of reports. */
function into(only: (typeof REPORT_TABLES)[number], { insert }: Archive): Archive['insert'] {
  return async (rows, signal) => {
    if (rows.table === only) return insert(rows, signal);
    for await (const _ of rows.rows);
  };
}

describe('export of an archive (D50)', () => {
  const archive = useArchive();
  const folder = newFolder();
  const at = (name: string) => join(folder, name);
  const readSlices = (name: string) =>
    askDuckdb(
      `SELECT source, station, firstDay::TEXT AS firstDay, doneDay::TEXT AS doneDay, endDay::TEXT AS endDay, reports::INT AS reports,
        list_transform(reportsByDay, n -> n::INT) AS counts
      FROM '${at(name)}/slices.parquet' ORDER BY source, station, firstDay`,
    );

  before(async () => {
    const { client } = archive;
    const special = report({ at: '2023-05-05T01:07:00Z', raw: CORRECTED });
    await insert(
      client,
      put(report({ at: '2023-05-05T00:00:00Z' }), 1),
      put(report({ at: '2023-05-05T00:00:00Z', source: 'ogimet' })),
      put(special),
      retract(special, 2 ** 28),
      put({ ...special, type: 'SPECI', clean: false }, 2 ** 28),
      put(report({ at: '2023-05-06T00:00:00Z', decoded: { nil: true, cavok: false }, clean: false })),
      put(report({ at: '2024-02-29T00:00:00Z', station: 'XAAB' })),
    );
    await list(client, { station: 'XAAA' }, { station: 'XAAB', firstDay: day('2020-01-01') });
    await recordDone(client, '2023-05-04', '2023-05-07', { run: RUN, reports: 3, reportsByDay: [0, 2, 1] });
    await recordDone(client, '2024-02-29', '2024-03-01', { station: '*', run: RUN, reportsByDay: [1] });
    await exportTo(client, at('all'));
  });

  it('holds each current report once, in one file a year that DuckDB reads, sorted by station', async () => {
    const rows = await askDuckdb(
      `SELECT year::INT AS year, station, epoch(observedAt)::INT AS observedAt, type, ${FINGERPRINT} AS fingerprint,
        raw, source, decoder::INT AS decoder, parseStatus = 'parsed' AS clean
      FROM read_parquet('${at('all')}/reports/*/*.parquet', hive_partitioning = true)`,
    );
    const stored = (await readAllReports(archive.client)).map(({ version, ...row }) => ({
      ...row,
      year: new Date(row.observedAt * 1000).getUTCFullYear(),
    }));
    const byTime = (a: { readonly observedAt?: unknown }, b: { readonly observedAt?: unknown }) =>
      Number(a.observedAt) - Number(b.observedAt);
    assert.equal(rows.length, 4);
    assert.deepEqual(rows, stored.toSorted(byTime));
  });

  it('states only fingerprints that are not those of the texts without keyword and end', async () => {
    const rows = await askDuckdb(
      `SELECT raw FROM '${at('all')}/reports/*/*.parquet' WHERE fingerprint IS NOT NULL`,
    );
    assert.deepEqual(rows, [{ raw: CORRECTED }]);
  });

  it('is read by the query of the guide, which makes the ids of the API', async () => {
    const rows = await askDuckdb(QUERY.replace('snapshot/', `${at('all')}/`).replace('KJFK', 'XAAB'));
    const { fingerprint } = report({ at: '2024-02-29T00:00:00Z', station: 'XAAB' });
    assert.deepEqual(rows, [{ id: `XAAB-202402290000-${fingerprint}`, temp_c: 12, wspd_kt: null }]);
  });

  it('has decoded fields only for parsed reports, and nil for every report', async () => {
    const rows = await askDuckdb(
      `SELECT parseStatus, temp_c, cavok, nil FROM '${at('all')}/reports/year=2023/00001.parquet' ORDER BY observedAt`,
    );
    assert.deepEqual(rows, [
      { parseStatus: 'parsed', temp_c: 12, cavok: true, nil: null },
      { parseStatus: 'failed', temp_c: null, cavok: null, nil: null },
      { parseStatus: 'failed', temp_c: null, cavok: null, nil: true },
    ]);
  });

  it('holds the days of the stations that have reports in a year, as the API prints them', async () => {
    const rows = await askDuckdb(
      `SELECT station, date::TEXT AS date, n::INT AS n, expected::INT AS expected, max_temp_c
      FROM '${at('all')}/days/*.parquet' WHERE n > 0 OR date = '2023-05-07' ORDER BY date`,
    );
    const ofDay = { expected: 24, max_temp_c: null };
    assert.deepEqual(rows, [
      { station: 'XAAA', date: '2023-05-05', n: 1, ...ofDay },
      { station: 'XAAA', date: '2023-05-07', n: 0, ...ofDay },
      { station: 'XAAB', date: '2024-02-29', n: 1, ...ofDay },
    ]);
  });

  it('names every file with its bytes, rows and SHA-256, and nothing else is in the folder', async () => {
    const manifest = await readManifest(at('all'));
    const entries = await readdir(at('all'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    assert.deepEqual(
      files.sort(),
      [...manifest.files.map(({ path }) => path.replace(/.*\//, '')), 'manifest.json'].sort(),
    );
    const rows = Object.fromEntries(manifest.files.map(({ path, rows }) => [path, rows]));
    assert.deepEqual(rows, {
      'days/year=2023.parquet': 365,
      'days/year=2024.parquet': 366,
      'hidden_reports.parquet': 0,
      'reports/year=2023/00001.parquet': 3,
      'reports/year=2024/00001.parquet': 1,
      'sightings.parquet': 3,
      'slices.parquet': 2,
      'station_descriptions.parquet': 0,
      'stations.parquet': 2,
    });
    assert.equal(manifest.reports, 4);
  });

  it('writes again only the years that changed since, and what is missing or damaged', async () => {
    assert.equal((await exportTo(archive.client, at('all'))).unchanged, 2);
    await writeFile(at('all/reports/year=2023/00001.parquet'), 'damaged');
    assert.equal((await exportTo(archive.client, at('all'))).unchanged, 1);
    await insert(archive.client, put(report({ at: '2022-01-01T00:00:00Z', station: 'XAAC' })));
    const { unchanged, manifest } = await exportTo(archive.client, at('all'));
    assert.equal(unchanged, 2);
    assert.equal(manifest.reports, 5);
  });

  for (const table of REPORT_TABLES)
    it(`ends with the station where ${table} has a report under both types`, async () => {
      const time = `2021-02-0${1 + REPORT_TABLES.indexOf(table)}T00:00:00Z`;
      const twice = report({ at: time, station: 'XAAD', type: 'SPECI' });
      const oneTable = { ...archive.client, insert: into(table, archive.client) };
      await insert(archive.client, put({ ...twice, type: 'METAR' }));
      await insert(oneTable, put(twice));
      await assert.rejects(
        exportTo(archive.client, at('twice')),
        /^SnapshotError: XAAD has 1 report of 2021 twice, under both types: load this year of it again with --refetch, then export$/,
      );
      await insert(archive.client, retract(twice, 2 ** 30));
      assert.equal((await exportTo(archive.client, at('twice'))).kind, 'exported');
    });

  it('is no snapshot until it is whole, and is resumed by the next export', async () => {
    const stopped = new AbortController();
    const stop = { afterSlice: stopped.signal, now: NO_LIMIT };
    stopped.abort();
    const { kind } = await exportTo(archive.client, at('stopped'), {}, stop);
    assert.equal(kind, 'stopped');
    assert.ok(!(await readdir(at('stopped'))).includes('manifest.json'));
    assert.equal((await exportTo(archive.client, at('stopped'))).kind, 'exported');
    assert.ok(!(await readdir(at('stopped'))).includes('manifest.unfinished.json'));
  });

  it('cuts the ledger to the range of days', async () => {
    await exportTo(archive.client, at('range'), { firstDay: day('2023-05-06'), endDay: day('2024-01-01') });
    assert.equal((await readManifest(at('range'))).reports, 1);
    const [slice, ...more] = await readSlices('range');
    assert.deepEqual(slice, {
      source: 'iem',
      station: 'XAAA',
      firstDay: '2023-05-06',
      doneDay: '2023-05-07',
      endDay: '2023-05-07',
      reports: 1,
      counts: [1],
    });
    assert.deepEqual(more, []);
  });

  it('claims for the named stations what a load of all stations has done for them, and nothing for others', async () => {
    await exportTo(archive.client, at('stations'), { stations: ['XAAB', 'XAAC'] });
    const done = { firstDay: '2024-02-29', doneDay: '2024-03-01', endDay: '2024-03-01' };
    assert.deepEqual(await readSlices('stations'), [
      { source: 'iem', station: 'XAAB', ...done, reports: 1, counts: [1] },
    ]);
  });

  it('leaves out rows of the ledger about reports that the archive has lost', async () => {
    await recordDone(archive.client, '2021-01-01', '2021-01-02', { run: RUN, reports: 5, reportsByDay: [5] });
    const { lostSlices } = await exportTo(archive.client, at('lost'));
    assert.equal(lostSlices, 1);
    assert.equal((await readSlices('lost')).length, 2);
  });

  it('says in one line that another export is writing to the folder, and can write once it has ended', async () => {
    const path = at('shared');
    await exportTo(archive.client, path);
    const first = await openSnapshotFolder(path);
    const output = consoleOutput(new PassThrough(), new PassThrough());
    const context = { archive: archive.client, stop: NEVER, output };
    const scope = { stations: [], firstDay: FIRST_DAY, endDay: day('2025-01-01') };
    const again = () => exportCommand(context, { folder: `${path}/`, scope });
    const manifest = await readManifest(path);
    await first.writeAlone(() =>
      assert.rejects(again(), (error: Error) => {
        assert.ok(error instanceof SnapshotError, error.stack);
        assert.match(
          error.message,
          /^Another export is writing to .*shared\/: wait until it ends, or name another folder$/,
        );
        return true;
      }),
    );
    assert.deepEqual(await readManifest(path), manifest);
    assert.equal(await again(), true);
  });

  it('refuses a folder that is not empty and holds no snapshot, and another manifest', async () => {
    const refusal = (path: string) =>
      exportTo(archive.client, path).then(
        () => 'exported',
        (error: unknown) => (error instanceof SnapshotError ? error.message : String(error)),
      );
    assert.match(await refusal(folder), /is not empty and holds no snapshot: name a new or empty folder/);
    await writeFile(at('file'), '');
    assert.match(await refusal(at('file/folder')), /^the folder of the export cannot be created: EEXIST/);
    assert.match(
      await refusal('/proc/none'),
      /^the folder of the export cannot be created: ENOENT.*'\/proc\/none'$/,
    );
    await rm(at('range'), { recursive: true });
    await exportTo(archive.client, at('range'), { stations: ['XAAB'] });
    await mkdir(at('range/manifest.unfinished.json.draft'));
    assert.match(await refusal(at('range')), /^the folder of the export cannot be written: EISDIR/);
    await rm(at('range/manifest.unfinished.json.draft'), { recursive: true });
    await writeFile(at('range/manifest.json'), '{}');
    assert.match(await refusal(at('range')), /is not the manifest of a snapshot/);
  });
});
