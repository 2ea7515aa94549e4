import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { SnapshotError } from '../../../../clickhouse/snapshot/manifest.ts';
import { restoreCommand } from '../../../../loader/commands/snapshot.ts';
import { DECODER_VERSION, decode } from '../../../../loader/decode.ts';
import { consoleOutput } from '../../../../loader/progress/display.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/snapshot-folder.ts';
import { emptyArchive, insert, NO_LIMIT, put, report, useArchive } from '../../../support/archive/archive.ts';
import { askDuckdb } from '../../../support/archive/flat-records.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { exportTo, NEVER, NO_PROGRESS, readManifest } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const REPORTS = 'reports/year=2024/00001.parquet';
const RUN = '2024-05-01T00:00:00.000Z-00000001';

/** As this version of the decoder reads it. */
function decodedReport(station: string, time: string) {
  const raw = `${station} ${time} 18004KT 5000 -RA BKN012 OVC030CB 10/05 Q1013`;
  const at = `2024-03-05T${time.slice(2, 4)}:00:00Z`;
  return report({ at, station, raw, decoder: DECODER_VERSION, decoded: decode(raw).fields });
}

describe('import of a damaged snapshot', () => {
  const source = useArchive();
  const target = useArchive();
  const folder = newFolder();
  const sound = () => join(folder, 'sound');

  before(async () => {
    const { client } = source;
    await insert(client, put(decodedReport('XAAA', '050000Z')), put(decodedReport('XAAB', '050100Z')));
    await list(client, {}, { station: 'XAAB' });
    const slice = { run: RUN, reports: 1, reportsByDay: [1] };
    for (const station of ['XAAA', 'XAAB'])
      await recordDone(client, '2024-03-05', '2024-03-06', { station, ...slice });
    await exportTo(client, sound());
  });

  const take = async (client: Archive, path: string) =>
    importSnapshot(
      { archive: client, progress: NO_PROGRESS, stop: NEVER },
      await openSnapshot(path, NO_LIMIT),
    );
  /** Writes a file anew with these columns in place of its own, and lets the manifest agree. */
  async function replaceColumns(path: string, file: string, columns: string): Promise<void> {
    await askDuckdb(
      `COPY (SELECT * REPLACE (${columns}) FROM '${join(path, file)}') TO '${join(path, 'new')}' (FORMAT parquet, COMPRESSION zstd)`,
    );
    await rename(join(path, 'new'), join(path, file));
    await agree(path, file);
  }
  /** Repeats the rows of a file in place. */
  async function multiply(path: string, file: string, times: number): Promise<void> {
    const [from, to] = [join(path, file), join(path, 'new')];
    await askDuckdb(
      `COPY (SELECT rows.* FROM range(${times}), '${from}' AS rows) TO '${to}' (FORMAT parquet, COMPRESSION zstd)`,
    );
    await rename(to, from);
  }
  async function agree(path: string, file: string, about: object = {}): Promise<void> {
    const bytes = await readFile(join(path, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await editFile(path, file, { bytes: bytes.length, sha256, ...about });
  }
  async function editFile(path: string, file: string, about: object): Promise<void> {
    const { files } = await readManifest(path);
    await editManifest(path, {
      files: files.map((each) => (each.path === file ? { ...each, ...about } : each)),
    });
  }
  async function editManifest(path: string, about: object): Promise<void> {
    await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...(await readManifest(path)), ...about }));
  }

  type Case = readonly [change: (path: string) => Promise<void>, refusal: RegExp];
  const ofColumns = (columns: string, refusal: RegExp, file = REPORTS): Case => [
    (path) => replaceColumns(path, file, columns),
    refusal,
  ];

  const CASES: Readonly<Record<string, Case>> = {
    'a folder without a manifest': [
      (path) => rm(join(path, 'manifest.json')),
      /has no manifest\.json: name the folder of a snapshot$/,
    ],
    'an export that was stopped': [
      (path) => rename(join(path, 'manifest.json'), join(path, 'manifest.unfinished.json')),
      /is not finished: run it again/,
    ],
    'a manifest that is cut': [
      (path) => truncate(join(path, 'manifest.json'), 500),
      /is not the manifest of a snapshot/,
    ],
    'a newer major version': [
      (path) => editManifest(path, { version: '2.0' }),
      /has format "2\.0", and this program reads 1\.x/,
    ],
    'a path that leaves the folder': [
      (path) => editFile(path, REPORTS, { path: '../../etc/passwd' }),
      /manifest\.json is damaged: copy or export the snapshot again: manifest\/files\/\d\/path must match pattern/,
    ],
    'a manifest without files': [
      (path) => editManifest(path, { files: {} }),
      /is damaged: copy or export the snapshot again: manifest\/files must be array/,
    ],
    'a manifest without a ledger': [
      (path) => editManifest(path, { files: [] }),
      /is damaged: copy or export the snapshot again: files has no slices\.parquet/,
    ],
    'a file that is missing': [(path) => rm(join(path, REPORTS)), /00001\.parquet is missing/],
    'a file that is cut': [
      (path) => truncate(join(path, REPORTS), 1000),
      /has 1000 bytes, and the manifest says/,
    ],
    'a file with another byte': [
      async (path) => {
        const bytes = await readFile(join(path, REPORTS));
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        await writeFile(join(path, REPORTS), bytes);
      },
      /is damaged: its SHA-256 is not that of the manifest/,
    ],
    'a wrong number of rows': [
      (path) => agree(path, REPORTS, { rows: 3 }),
      /has 2 rows, and the manifest says 3/,
    ],
    'a file that is no Parquet': [
      async (path) => {
        await writeFile(join(path, REPORTS), 'PAR1 but nothing else');
        await agree(path, REPORTS);
      },
      /cannot be read as a file of a snapshot/,
    ],
    'a report with another fingerprint': ofColumns(
      "(CASE station WHEN 'XAAA' THEN 7 ELSE fingerprint END)::UINTEGER AS fingerprint",
      /00001\.parquet: the id of XAAA at 2024-03-05T00:00:00\.000Z does not follow from its text/,
    ),
    'a text of 4,001 characters (D5)': ofColumns(
      "rpad(raw, 4001, ' X') AS raw",
      /XAA[AB] at 2024-03-05.* has a text that is longer than any report: nothing of it is restored/,
    ),
    'a source that this program does not know': ofColumns(
      "'other' AS source",
      /XAA[AB] at 2024-03-05.* is of a source that this program does not know/,
    ),
    'a ledger that counts more than the files hold': ofColumns(
      '[9]::UINTEGER[] AS reportsByDay',
      /says that iem was loaded for XAA[AB] from 2024-03-05 to 2024-03-06, but the files hold fewer reports/,
      'slices.parquet',
    ),
    'reports that are repeated': [
      async (path) => {
        await multiply(path, REPORTS, 3);
        await agree(path, REPORTS, { rows: 6 });
      },
      /00001\.parquet has 4 reports twice/,
    ],
  };

  for (const [name, [change, refusal]] of Object.entries(CASES))
    it(`refuses in one line, and claims nothing afterwards: ${name}`, async () => {
      const path = join(folder, 'case');
      await rm(path, { recursive: true, force: true });
      await mkdir(path);
      await cp(sound(), path, { recursive: true });
      await change(path);
      const error = await take(target.client, path).then(
        () => assert.fail('The snapshot was taken'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof SnapshotError, String((error as Error).stack));
      assert.match(error.message, refusal);
      assert.doesNotMatch(error.message, /\n/);
      const claims = await target.client.select({
        query: 'SELECT (SELECT count() FROM slices), (SELECT count() FROM stations) FORMAT TSV',
      });
      assert.equal(claims.toString().trim(), '0\t0');
    });

  for (const decoder of [1, DECODER_VERSION + 1, 255])
    it(`decodes again what decoder ${decoder} has read, also after an engine was killed that had stored it, and keeps none of its fields`, async () => {
      const path = join(folder, `decoder-${decoder}`);
      await cp(sound(), path, { recursive: true });
      await replaceColumns(path, REPORTS, `61.5 AS temp_c, '+RA' AS wx, ${decoder} AS decoder`);
      const archive = await emptyArchive();
      const read = async () => {
        const query = 'SELECT temp_c, wx, decoder FROM observations FINAL ORDER BY station FORMAT TSV';
        return (await archive.client.select({ query })).toString().trim().split('\n');
      };
      const seen: string[] = [];
      const watched: Archive = {
        ...archive.client,
        async insertFile(statement, ...args) {
          await archive.client.insertFile(statement, ...args);
          if (!statement.query.includes('INTO station_observations') || seen.length > 0) return;
          seen.push(...(await read()));
          throw Object.assign(new Error('killed'), { code: 'ECONNRESET' });
        },
      };
      try {
        assert.equal((await take(watched, path)).inserted, 2);
        assert.deepEqual(seen, ['\\N\t\\N\t0', '\\N\t\\N\t0']);
        assert.deepEqual(await read(), Array(2).fill(`10\t-RA\t${DECODER_VERSION}`));
      } finally {
        await archive.close();
      }
    });

  it('takes the undamaged snapshot afterwards, and says before how much it holds', async () => {
    const printed = new PassThrough();
    const output = consoleOutput(printed, new PassThrough());
    await restoreCommand({ archive: target.client, stop: NEVER, output }, { path: sound() });
    assert.match(
      String(printed.read()),
      /^2 reports in \d+ files of 0\.\d MB: about 0 s on two cores\n2 reports of the snapshot, \d new\n$/,
    );
    assert.equal((await take(target.client, sound())).reports, 2);
  });
});
