import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { yearWindow } from '../../../../clickhouse/model/time-window.ts';
import { readRowsToCheck } from '../../../../clickhouse/snapshot/import-reports.ts';
import { SnapshotError } from '../../../../clickhouse/snapshot/manifest.ts';
import { restoreCommand } from '../../../../loader/commands/restore.ts';
import { DECODER_VERSION, decode } from '../../../../loader/decode.ts';
import { consoleOutput } from '../../../../loader/progress/display.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/open-snapshot.ts';
import {
  describeStations,
  emptyArchive,
  insert,
  NO_LIMIT,
  put,
  report,
  useArchive,
} from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { askDuckdb, exportTo, NEVER, NO_PROGRESS, readManifest } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const REPORTS = 'reports/year=2024/00001.parquet';
const RUN = '2024-05-01T00:00:00.000Z-00000001';

/** As this version of the decoder reads it. */
function decodedReport(station: string, time: string) {
  const raw = `${station} ${time} 18004KT 5000 -RA BKN012 OVC030CB 10/05 Q1013`;
  const at = `2024-03-05T${time.slice(2, 4)}:00:00Z`;
  return report({ at, station, raw, decoder: DECODER_VERSION, decoded: decode(raw).fields });
}

describe('import of a damaged or hostile snapshot', () => {
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
    await describeStations(
      client,
      ['XAAA', 'XAAB'].map((station) => ({
        source: 'iem',
        station,
        name: 'A place',
        country: 'US',
        position: { latitude: 40.6, longitude: -73.8 },
        elevation_m: 4.1,
        timezone: 'America/New_York',
      })),
    );
    await exportTo(client, sound());
  });

  const take = async (client: Archive, path: string, decodeAgain = false) =>
    importSnapshot(
      { archive: client, progress: NO_PROGRESS, stop: NEVER },
      await openSnapshot(path, NO_LIMIT),
      decodeAgain,
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
  /** Cases in which columns of a file have other values. */
  const ofColumns = (file: string, cases: Readonly<Record<string, readonly [columns: string, RegExp]>>) =>
    Object.fromEntries(
      Object.entries(cases).map(([name, [columns, refusal]]): [string, Case] => [
        name,
        [(path) => replaceColumns(path, file, columns), refusal],
      ]),
    );
  const NO_SUCH_DESCRIPTION = /station_descriptions\.parquet has [123] rows that no loader writes/;
  const OTHER_ID = /the id of XAA[AB] at .* does not follow from its text/;

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
    ...ofColumns(REPORTS, {
      'a report of another year': [
        "observedAt + INTERVAL '365 days' AS observedAt",
        /has 2 rows that are not reports of XAAA to XAAB in 2024/,
      ],
      'a report with another fingerprint': [
        "(CASE station WHEN 'XAAA' THEN 7 ELSE fingerprint END)::UINTEGER AS fingerprint",
        /00001\.parquet: the id of XAAA at 2024-03-05T00:00:00\.000Z does not follow from its text/,
      ],
      'a report whose fingerprint is not the one of its text without its end, and that does not state it': [
        "raw || ',' AS raw",
        OTHER_ID,
      ],
      'a report of another station than its text': ["replace(raw, station, 'KBTR') AS raw", OTHER_ID],
      'a report at another time than its text': ["observedAt + INTERVAL '1 hour' AS observedAt", OTHER_ID],
      'a report of another type than its text': ["'SPECI' AS type, 'METAR ' || raw AS raw", OTHER_ID],
    }),
    ...ofColumns('slices.parquet', {
      'a ledger that counts more than the files hold': [
        '[9]::UINTEGER[] AS reportsByDay',
        /says that iem was loaded for XAA[AB] from 2024-03-05 to 2024-03-06, but the files hold fewer reports/,
      ],
      'a ledger that claims days without a count': [
        '[]::UINTEGER[] AS reportsByDay',
        /slices\.parquet has 2 rows that no loader writes/,
      ],
      'a ledger that claims days to come': [
        'current_date AS doneDay, current_date AS endDay, current_date - 1 AS firstDay',
        /slices\.parquet has 2 rows that no loader writes/,
      ],
    }),
    ...ofColumns('stations.parquet', {
      'a listing that ends before it begins': [
        "DATE '2024-01-02' AS firstDay, DATE '2024-01-01' AS lastDay",
        /stations\.parquet has 2 rows that no loader writes/,
      ],
    }),
    ...ofColumns('sightings.parquet', {
      'a first report of another year': [
        '(year - 1)::USMALLINT AS year',
        /sightings\.parquet has 2 rows that no loader writes/,
      ],
      'a first report in 1,000 days': [
        "lastReport + INTERVAL '1000 days' AS lastReport, year(lastReport + INTERVAL '1000 days')::USMALLINT AS year, lastReport + INTERVAL '1000 days' AS firstReport",
        /sightings\.parquet has 2 rows that no loader writes/,
      ],
    }),
    ...ofColumns(
      REPORTS,
      Object.fromEntries(
        Object.entries({
          "CASE station WHEN 'XAAB' THEN 99.9 ELSE temp_c END AS temp_c":
            'temp_c of XAAB at 2024-03-05T01:00:00.000Z is 99.9, and its text says 10: ',
          "'nan'::DOUBLE AS temp_c": 'temp_c .* is NaN, and',
          '1013.5::FLOAT AS altim_hpa': 'altim_hpa .* is 1013.5, and its text says 1013: ',
          'clouds[1:1] AS clouds': 'clouds .* is \\[BKN 1200 absent\\], and its text says \\[BKN .* CB\\]: ',
          "'failed' AS parseStatus": 'clean .* is false, and its text says true: ',
        }).map(([columns, refusal]) => [
          `a decoded field that its text does not say: ${columns}`,
          [columns, new RegExp(`${refusal}.*use another snapshot, or decode .* with --decode-again`)],
        ]),
      ),
    ),
    ...ofColumns(
      'station_descriptions.parquet',
      Object.fromEntries(
        Object.entries({
          'a code that is none': "'lower''; x' AS station",
          'the same station twice': "'XAAA' AS station",
          'a source that is none': "'../iem' AS source",
          'a name of 900,000 characters': "repeat('A', 900000) AS name",
          'a name with a line feed': "'A' || chr(10) || 'place' AS name",
          'a latitude beyond the pole': '91::DOUBLE AS latitude',
          'an elevation without end': "'inf'::DOUBLE AS elevation_m",
          'a time zone that is a path': "'../../etc/passwd' AS timezone",
          'a time zone that does not exist': "'America/Atlantis' AS timezone",
          'a time in 1,000 days': "fetchedAt + INTERVAL '1000 days' AS fetchedAt",
        }).map(([name, columns]) => [`a description with ${name}`, [columns, NO_SUCH_DESCRIPTION]]),
      ),
    ),
    'a description with another station than the snapshot': [
      async (path) => {
        await replaceColumns(path, 'station_descriptions.parquet', "'XAAC' AS station");
        await editManifest(path, { stations: ['XAAA', 'XAAB'] });
      },
      NO_SUCH_DESCRIPTION,
    ],
    'a ledger that claims other stations than the snapshot': [
      (path) => editManifest(path, { stations: ['XAAA'] }),
      /slices\.parquet has 1 rows that no loader writes/,
    ],
    'thirty million listings': [
      (path) => agree(path, 'stations.parquet', { rows: 30_000_000 }),
      /stations\.parquet has 30000000 rows, more than a file of a snapshot can have/,
    ],
    'listings that are repeated': [
      async (path) => {
        await multiply(path, 'stations.parquet', 3);
        await agree(path, 'stations.parquet', { rows: 6 });
      },
      /stations\.parquet has 4 rows that no loader writes/,
    ],
    'reports that are repeated': [
      async (path) => {
        await multiply(path, REPORTS, 3);
        await agree(path, REPORTS, { rows: 6 });
      },
      /has 4 rows that are not reports of XAAA to XAAB in 2024/,
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
      /needs more memory than a file of a snapshot can need/,
    ],
  };

  for (const [name, [change, refusal]] of Object.entries(CASES))
    it(`refuses in one line, and claims nothing after: ${name}`, async () => {
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

  it('reads all reports of a small file again, and a thousand of a larger one', async () => {
    const file = { firstStation: 'XAAA', lastStation: 'XAAB', ...yearWindow(2024) };
    const bytes = await readFile(join(sound(), REPORTS));
    const sampled = async (rows: number) => {
      let found = 0;
      for await (const some of readRowsToCheck(target.client, { ...file, bytes }, { rows, isMerged: false }))
        found += some.length;
      return found;
    };
    assert.deepEqual([await sampled(1000), await sampled(1e18)], [2, 0]);
  });

  it('takes a file that states every fingerprint, as exports did before', async () => {
    const path = join(folder, 'stated');
    await cp(sound(), path, { recursive: true });
    const stated = "('0x' || sha256(raw)[1:8])::UINTEGER AS fingerprint";
    await replaceColumns(path, REPORTS, stated);
    const archive = await emptyArchive();
    try {
      assert.equal((await take(archive.client, path)).inserted, 2);
    } finally {
      await archive.close();
    }
  });

  it('decodes every report again with --decode-again, whatever the snapshot says', async () => {
    const path = join(folder, 'wrong');
    await cp(sound(), path, { recursive: true });
    await replaceColumns(path, REPORTS, "99.9 AS temp_c, '+RA' AS wx");
    const archive = await emptyArchive();
    try {
      await take(archive.client, path, true);
      const query =
        'SELECT station, clean, temp_c, wx, decoder FROM observations FINAL ORDER BY station FORMAT TSV';
      const rows = (await archive.client.select({ query })).toString().trim().split('\n');
      assert.deepEqual(
        rows,
        ['XAAA', 'XAAB'].map((station) => `${station}\ttrue\t10\t-RA\t${DECODER_VERSION}`),
      );
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
    const output = consoleOutput(new PassThrough(), new PassThrough());
    const context = { archive: readOnly, stop: NEVER, output };
    await assert.rejects(
      restoreCommand(context, { kind: 'restore', path, decodeAgain: false }),
      (error: Error) => {
        assert.ok(error instanceof SnapshotError, error.stack);
        assert.match(
          error.message,
          /^The user of CLICKHOUSE_USER may not write .*: restore as history_loader$/,
        );
        return true;
      },
    );
  });

  it('takes the sound one afterwards', async () => {
    assert.equal((await take(target.client, sound())).reports, 2);
  });
});
