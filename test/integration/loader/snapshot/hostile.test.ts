import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { before, describe, it } from 'mocha';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { importSnapshotCommand } from '../../../../loader/commands/import/import-snapshot.ts';
import type { Config } from '../../../../loader/config.ts';
import { ConsoleOutput } from '../../../../loader/progress/console.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/open-snapshot.ts';
import { SnapshotError } from '../../../../loader/snapshot/snapshot-error.ts';
import { emptyArchive, insert, NO_LIMIT, put, report } from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import {
  askDuckdb,
  exportTo,
  NEVER,
  NO_PROGRESS,
  readManifest,
  useFolder,
} from '../../../support/snapshot/snapshot.ts';

const REPORTS = 'reports/year=2024/00001.parquet';
const RUN = '2024-05-01T00:00:00.000Z-00000001';

describe('import of a damaged or hostile snapshot', () => {
  const source = useArchive();
  const target = useArchive();
  const folder = useFolder();
  const sound = () => join(folder.path, 'sound');

  before(async () => {
    const { client } = source;
    await insert(
      client,
      put(report({ at: '2024-03-05T00:00:00Z' })),
      put(report({ at: '2024-03-05T01:00:00Z', station: 'XAAB' })),
    );
    await list(client, {}, { station: 'XAAB' });
    await recordDone(client, '2024-03-05', '2024-03-06', { run: RUN, reports: 1, reportsByDay: [1] });
    await recordDone(client, '2024-03-05', '2024-03-06', {
      station: 'XAAB',
      run: RUN,
      reports: 1,
      reportsByDay: [1],
    });
    await exportTo(client, sound());
  });

  /** Writes a file anew with these columns in place of its own, and lets the manifest agree. */
  async function replaceColumns(path: string, file: string, columns: string): Promise<void> {
    await askDuckdb(
      `COPY (SELECT * REPLACE (${columns}) FROM '${join(path, file)}') TO '${join(path, 'new')}' (FORMAT parquet, COMPRESSION zstd)`,
    );
    await rename(join(path, 'new'), join(path, file));
    await agree(path, file);
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

  const CASES: Readonly<Record<string, readonly [change: (path: string) => Promise<void>, refusal: RegExp]>> =
    {
      'a folder without a manifest': [
        (path) => rm(join(path, 'manifest.json')),
        /has no manifest\.json: name the folder of a snapshot with --path/,
      ],
      'an export that was stopped': [
        (path) => rename(join(path, 'manifest.json'), join(path, 'manifest.unfinished.json')),
        /is not finished: run it again/,
      ],
      'a foreign manifest': [
        (path) => writeFile(join(path, 'manifest.json'), '{"files": []}'),
        /is not the manifest of a snapshot/,
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
        /has the path "\.\.\/\.\.\/etc\/passwd", which no snapshot has/,
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
      'a link in place of a file': [
        async (path) => {
          await rm(join(path, REPORTS));
          await symlink(join(sound(), REPORTS), join(path, REPORTS));
        },
        /is missing/,
      ],
      'a link in place of a folder': [
        async (path) => {
          await rm(join(path, 'reports'), { recursive: true });
          await symlink(join(sound(), 'reports'), join(path, 'reports'));
        },
        /is a link that leaves the folder/,
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
      'a report of another year': [
        (path) => replaceColumns(path, REPORTS, "observedAt + INTERVAL '365 days' AS observedAt"),
        /has 2 rows that are no reports of XAAA to XAAB in 2024/,
      ],
      'a report with another fingerprint': [
        (path) =>
          replaceColumns(
            path,
            REPORTS,
            "(CASE station WHEN 'XAAA' THEN 7 ELSE fingerprint END)::UINTEGER AS fingerprint",
          ),
        /1 reports are refused, because their id does not follow from their text/,
      ],
      'a report whose fingerprint is not the one of its text without its end, and that does not state it': [
        (path) => replaceColumns(path, REPORTS, "raw || ',' AS raw"),
        /2 reports are refused/,
      ],
      'a report at another time than its text': [
        (path) => replaceColumns(path, REPORTS, "observedAt + INTERVAL '1 hour' AS observedAt"),
        /2 reports are refused/,
      ],
      'a report of another type than its text': [
        (path) => replaceColumns(path, REPORTS, "'SPECI' AS type, 'METAR ' || raw AS raw"),
        /2 reports are refused/,
      ],
      'a ledger that counts more than the files hold': [
        (path) => replaceColumns(path, 'slices.parquet', '[9]::UINTEGER[] AS reportsByDay'),
        /says that iem has brought XAA[AB] from 2024-03-05 to 2024-03-06, and the files hold fewer reports/,
      ],
      'a ledger that claims days without a count': [
        (path) => replaceColumns(path, 'slices.parquet', '[]::UINTEGER[] AS reportsByDay'),
        /slices\.parquet has 2 rows that no loader writes/,
      ],
      'a ledger that claims days to come': [
        (path) =>
          replaceColumns(
            path,
            'slices.parquet',
            'current_date AS doneDay, current_date AS endDay, current_date - 1 AS firstDay',
          ),
        /slices\.parquet has 2 rows that no loader writes/,
      ],
      'a ledger that claims other stations than the snapshot': [
        (path) => editManifest(path, { stations: ['XAAA'] }),
        /slices\.parquet has 1 rows that no loader writes/,
      ],
      'a small file that fills the memory': [
        async (path) => {
          const [file, bomb] = [join(path, REPORTS), join(path, 'new')];
          await askDuckdb(
            `COPY (SELECT reports.* REPLACE (repeat('0', 4000) AS raw) FROM '${file}' AS reports, range(150000))
          TO '${bomb}' (FORMAT parquet, COMPRESSION zstd)`,
          );
          await rename(bomb, file);
          await agree(path, REPORTS, { rows: 300_000 });
        },
        /needs more memory than any file of a snapshot/,
      ],
    };

  for (const [name, [change, refusal]] of Object.entries(CASES))
    it(`refuses in one line, and claims nothing after: ${name}`, async () => {
      const path = join(folder.path, 'case');
      await rm(path, { recursive: true, force: true });
      await mkdir(path);
      await cp(sound(), path, { recursive: true });
      await change(path);
      const error = await openSnapshot(path, NO_LIMIT)
        .then((snapshot) => importSnapshot(target.client, snapshot, NO_PROGRESS, NEVER))
        .then(
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

  it('takes a file that states every fingerprint, as exports did before', async () => {
    const path = join(folder.path, 'stated');
    await cp(sound(), path, { recursive: true });
    const stated = "('0x' || sha256(raw)[1:8])::UINTEGER AS fingerprint";
    await replaceColumns(path, REPORTS, stated);
    const archive = await emptyArchive();
    try {
      const result = await importSnapshot(
        archive.client,
        await openSnapshot(path, NO_LIMIT),
        NO_PROGRESS,
        NEVER,
      );
      assert.equal(result.inserted, 2);
    } finally {
      await archive.close();
    }
  });

  it('says in one line that the archive refuses to be written, and who may write', async () => {
    const { client } = target;
    const readOnly: Archive = {
      ...client,
      insert: (rows, signal) =>
        client.insert({ ...rows, settings: { ...rows.settings, readonly: '1' } }, signal),
      insertFile: ({ settings, ...statement }, bytes, signal) =>
        client.insertFile({ ...statement, settings: { ...settings, readonly: '1' } }, bytes, signal),
    };
    const path = sound();
    const output = new ConsoleOutput(new PassThrough(), new PassThrough());
    await assert.rejects(
      importSnapshotCommand(
        readOnly,
        { kind: 'snapshot', path },
        { logFormat: 'text' } as Config,
        NEVER,
        output,
      ),
      (error: Error) => {
        assert.ok(error instanceof SnapshotError, error.stack);
        assert.match(
          error.message,
          /^The user of CLICKHOUSE_USER may not write .*: import as history_loader$/,
        );
        return true;
      },
    );
  });

  it('takes the sound one afterwards', async () => {
    const { reports } = await importSnapshot(
      target.client,
      await openSnapshot(sound(), NO_LIMIT),
      NO_PROGRESS,
      NEVER,
    );
    assert.equal(reports, 2);
  });
});
