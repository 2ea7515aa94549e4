import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../../../../clickhouse/model/report.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../../support/api/api.ts';
import { readAllReports, report, useArchive } from '../../../../support/archive/archive.ts';
import { list } from '../../../../support/archive/ledger.ts';
import { importInto } from '../../../../support/loader/run-load.ts';
import { exportTo, readManifest } from '../../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../../support/test-run.ts';

const REPORTS = [
  report({ at: '2024-01-05T00:50:00Z', raw: 'METAR XAAA 050050Z 18004KT CAVOK, 12/07 Q1013 RMK "NIÑO"' }),
  // No rule infers these types from the minutes.
  report({ at: '2024-01-05T01:50:00Z', type: 'SPECI', raw: 'XAAA 050150Z 18004KT CAVOK 12/07 Q1013' }),
  report({ at: '2024-01-05T01:07:00Z', station: 'XAAB', raw: 'XAAB 050107Z COR 18004KT' }),
  report({ at: '2024-01-05T01:50:00Z', station: 'XAAB', source: 'ogimet', raw: 'XAAB 050150Z NIL' }),
];

describe('import of records of this service', () => {
  const archive = useArchive('each');
  const api = useApi(() => startApiWithReports(REPORTS));

  const identities = (records: readonly Omit<Report, 'clean' | 'decoder' | 'decoded'>[], source?: string) =>
    records
      .map((one) =>
        [one.station, one.observedAt, one.type, one.fingerprint, one.raw, source ?? one.source].join(),
      )
      .sort();

  async function load(name: string, bytes: Buffer) {
    const { said, tally } = await importInto(archive.client, { [name]: bytes });
    return { said, failed: tally.slicesFailed };
  }
  const query = (extension: string, include: string) =>
    api.bytes(
      `${OBSERVATIONS}${extension}?stations=XAAA,XAAB&from=2024-01-05T00:00:00Z&to=2024-01-06T00:00:00Z&include=${include}`,
    );

  for (const extension of ['.json', '.ndjson', '.csv', '.parquet'])
    it(`gives the same identities and types from ${extension}, and names one without texts`, async () => {
      const { failed, said } = await load(`records${extension}`, await query(extension, 'raw,decoded'));
      assert.deepEqual([failed, said], [0, []]);
      assert.deepEqual(identities(await readAllReports(archive.client)), identities(REPORTS, 'records'));
      const without = await load(`decoded${extension}`, await query(extension, 'decoded'));
      assert.equal(without.failed, 1);
      assert.match(without.said.join('\n'), /include=raw/);
    });

  it('says how records are written where a spreadsheet or pandas has written them otherwise', async () => {
    const rows = 'station;observedAt;type;raw\r\nXAAA;05.01.2024 00:20;METAR;XAAA 050020Z 24008KT\r\n';
    const lines = '{"station":"XAAA","observedAt":1704414000,"type":"METAR","raw":"XAAA 050020Z 24008KT"}\n';
    for (const text of [rows, lines, rows.replace(/type;|METAR;/g, '')]) {
      const { said } = await load('a', Buffer.from(text));
      assert.match(said.join(), /line \d, .*XAAA.*; expected .*, with times such as 2024-01-31 12:51 in UTC/);
    }
  });

  it('keeps the sources of a file of a snapshot, and names another file of it', async () => {
    const folder = newFolder();
    await list(api.archive, { station: 'XAAA' });
    await exportTo(api.archive, folder);
    const { files } = await readManifest(folder);
    assert.ok(files.some(({ reports, rows }) => reports === undefined && rows > 0));
    for (const { path, reports, rows } of files) {
      if (rows === 0) continue;
      const { failed, said } = await load(path.replaceAll('/', '-'), await readFile(join(folder, path)));
      assert.equal(failed, reports === undefined ? 1 : 0, said.join('\n'));
      if (reports === undefined) assert.match(said.join('\n'), /command restore/);
    }
    assert.deepEqual(identities(await readAllReports(archive.client)), identities(REPORTS));
  });

  it('names damaged Parquet, and rows of another type, which fail the file where they are most of it (D68)', async () => {
    const query = `SELECT if(type = 'TAF', '', 'XAAA') AS station, toDateTime('2024-01-05 00:50:00', 'UTC') AS observedAt, 'XAAA 050050Z' AS raw, arrayJoin(['METAR', 'metar', 'TAF']) AS type FORMAT Parquet`;
    const bytes = await archive.client.select({ query });
    for (const [file, reason] of [
      [bytes, /2 of 3 rows cannot be read, the first is number 2;/],
      [bytes.subarray(0, -20), /damaged Parquet/],
    ] as const) {
      const { failed, said } = await load('a.parquet', file);
      assert.deepEqual([failed, reason.test(said.join())], [1, true]);
    }
    assert.equal((await readAllReports(archive.client)).length, 1);
  });
});
