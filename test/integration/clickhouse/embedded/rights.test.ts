import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openArchive } from '../../../../clickhouse/client.ts';
import type { JoinedEngine } from '../../../../clickhouse/embedded/join.ts';
import { extentOf, openGrid, readGridPage } from '../../../../clickhouse/grid-rows.ts';
import { hourlyRows } from '../../../../clickhouse/hourly.ts';
import { REPORT_TYPES } from '../../../../clickhouse/model/report.ts';
import { fixRange } from '../../../../clickhouse/observations/stream/stream-range.ts';
import { migrate } from '../../../../clickhouse/schema.ts';
import { SAMPLES, type Statistic } from '../../../../clickhouse/statistics/question.ts';
import { readStatistics } from '../../../../clickhouse/statistics/read-statistics.ts';
import { joinEngineWithLogins, OPEN_ENGINE } from '../../../support/engine/engine.ts';
import { requestsOf } from '../../../support/engine/engine-requests.ts';
import { newFolder } from '../../../support/test-run.ts';

const ACCESS_DENIED = 497;
const FILE = "file('/etc/hostname')";
const OLD_ANALYZER = 'enable_analyzer = 0';

describe('what the users of the embedded engine may not do', () => {
  const { database } = OPEN_ENGINE;
  const dataDir = newFolder();
  let engine: JoinedEngine;
  before(async () => {
    engine = await joinEngineWithLogins(dataDir);
    await migrate({ url: engine.url, database, ...engine.users.admin });
  });
  after(() => engine.leave());
  const { as, assertRefused } = requestsOf(() => engine);

  async function assertAllRefused(code: number, statements: readonly string[]): Promise<void> {
    for (const login of Object.values(engine.users))
      for (const statement of statements) await assertRefused(login, code, statement);
  }

  it('read files, URLs, other servers or tables of the engine itself', () =>
    assertAllRefused(
      ACCESS_DENIED,
      [
        "file('/etc/hostname', 'LineAsString')",
        "file('/proc/self/environ', 'LineAsString')",
        "filesystem('/etc')",
        'default.`/etc/hostname`',
        "url('http://127.0.0.1:1/', 'LineAsString')",
        "remote('127.0.0.1:1', 'system.one')",
        "s3('http://127.0.0.1:1/abcd/b', 'LineAsString')",
        "mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'e Int8')",
        "redis('127.0.0.1:1', 'a', 'a String')",
        "sqlite('/tmp/a.db', 'b')",
        'system.processes',
        'system.server_settings',
        'system.users',
      ].map((source) => `SELECT * FROM ${source}`),
    ));

  it('write files, URLs or other servers', async () => {
    const path = join(dataDir, 'written');
    await assertAllRefused(ACCESS_DENIED, [
      `INSERT INTO FUNCTION file('${path}', 'LineAsString', 'a String') VALUES ('a')`,
      "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'LineAsString', 'a String') VALUES ('a')",
      "INSERT INTO FUNCTION remote('127.0.0.1:1', 'system.one') VALUES ('a')",
      "INSERT INTO FUNCTION s3('http://127.0.0.1:1/abcd/b', 'LineAsString', 'a String') VALUES ('a')",
      `BACKUP DATABASE ${database} TO File('${path}')`,
    ]);
    // ClickHouse has no rights for these: it refuses them as `default` too.
    await assertAllRefused(318, [`RESTORE DATABASE ${database} FROM File('${path}')`]);
    // OUTFILE and INFILE are for a client, which has files of its own.
    await assertAllRefused(358, [`SELECT 1 INTO OUTFILE '${path}'`]);
    const infile = `INSERT INTO ${database}.stations FROM INFILE '/etc/hostname' FORMAT LineAsString`;
    for (const login of Object.values(engine.users)) assert.notEqual((await as(login, infile)).status, 200);
    assert.ok(!existsSync(path));
  });

  it('read a file by the function file()', async () => {
    const notAvailable = 395;
    for (const settings of ['', ` SETTINGS ${OLD_ANALYZER}`])
      await assertAllRefused(
        notAvailable,
        [
          `SELECT ${FILE}`,
          `SELECT * REPLACE(${FILE} AS dummy) FROM system.one`,
          "SELECT * APPLY(file) FROM (SELECT '/etc/hostname')",
          "SELECT arrayMap(path -> file(path), ['/etc/hostname'])",
          `SELECT 1 AS n, '' AS a ORDER BY n WITH FILL TO 3 INTERPOLATE (a AS ${FILE})`,
        ].map((statement) => statement + settings),
      );
    const filter = FILE.replaceAll("'", "\\'");
    await assertAllRefused(notAvailable, [`SELECT 1 SETTINGS additional_result_filter = '${filter} = 0'`]);
    const { loader } = engine.users;
    const insert = `INSERT INTO ${database}.stations (station, source) VALUES (${FILE}, 'demo')`;
    await assertRefused(loader, notAvailable, insert);
    const mutation = `ALTER TABLE ${database}.stations DELETE WHERE ${FILE} = '' SETTINGS mutations_sync = 2`;
    for (const statement of [mutation, `${mutation}, ${OLD_ANALYZER}`])
      assert.notEqual((await as(loader, statement)).status, 200);
    const asDefault = await as(loader, `SELECT ${FILE}`, '/?user=default');
    assert.equal(asDefault.code, String(notAvailable));
  });

  it('read a file as a template or a schema', () =>
    assertAllRefused(452, [
      "SELECT 1 SETTINGS format_template_resultset = '/etc/hostname' FORMAT Template",
      "SELECT 1 SETTINGS format_template_row = '/etc/hostname' FORMAT Template",
      "SELECT 1 SETTINGS format_schema = '/etc/hostname:a' FORMAT Protobuf",
    ]));

  it('change what others may do, or stop others', () =>
    assertAllRefused(ACCESS_DENIED, [
      'CREATE FUNCTION f AS (a) -> a',
      'CREATE OR REPLACE FUNCTION file AS (a) -> a',
      'DROP FUNCTION file',
      'CREATE USER other',
      'GRANT ALL ON *.* TO history_api',
      'KILL QUERY WHERE 1',
      'SYSTEM SHUTDOWN',
      'SYSTEM KILL',
      'SYSTEM START LISTEN TCP',
      'SYSTEM STOP LISTEN HTTP',
      'SYSTEM RELOAD USERS',
      'SYSTEM CLEAR MARK CACHE',
      `SYSTEM STOP MERGES ${database}.observations`,
      'ATTACH DATABASE other',
      'CREATE DATABASE other',
      `DROP DATABASE ${database}`,
    ]));

  it('make a table, a dictionary or a view over something else', () =>
    assertAllRefused(ACCESS_DENIED, [
      `CREATE TABLE ${database}.t (a String) ENGINE = File('LineAsString', '/etc/hostname')`,
      `CREATE TABLE ${database}.t (a String) ENGINE = URL('http://127.0.0.1:1/', 'LineAsString')`,
      `CREATE TABLE ${database}.t (a String) ENGINE = S3('http://127.0.0.1:1/abcd/b', 'LineAsString')`,
      `CREATE TABLE ${database}.t (a String) ENGINE = Executable('true', 'LineAsString')`,
      `CREATE TABLE ${database}.t (a String) ENGINE = MySQL('127.0.0.1:1', 'a', 'b', 'c', 'd')`,
      "CREATE TEMPORARY TABLE t (a String) ENGINE = File('LineAsString', '/etc/hostname')",
      `CREATE DICTIONARY ${database}.d (a String) PRIMARY KEY a SOURCE(EXECUTABLE(COMMAND 'true' FORMAT 'TSV')) LAYOUT(FLAT())`,
      `CREATE DICTIONARY ${database}.d (a String) PRIMARY KEY a SOURCE(FILE(PATH '/etc/hostname' FORMAT 'TSV')) LAYOUT(FLAT())`,
      `CREATE VIEW ${database}.v AS SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')`,
      "CREATE NAMED COLLECTION c AS a = 'b'",
    ]));

  it('make a table over other servers', async () => {
    const statement = `CREATE TABLE ${database}.t (a Int8) ENGINE = Distributed('default', 'system', 'one')`;
    const { api, loader, admin } = engine.users;
    for (const login of [api, loader]) await assertRefused(login, ACCESS_DENIED, statement);
    // The migrations of a cluster need this engine. Here no cluster is configured.
    await assertRefused(admin, 701, statement);
  });

  it('put a table on a disk that is another server', async () => {
    const { api, loader, admin } = engine.users;
    const disk = "disk(type = web, endpoint = 'http://127.0.0.1:1/')";
    const statement = `CREATE TABLE ${database}.t (a Int8) ENGINE = MergeTree ORDER BY a SETTINGS disk = ${disk}`;
    await assertRefused(api, ACCESS_DENIED, statement);
    await assertRefused(loader, ACCESS_DENIED, statement);
    await assertRefused(admin, 452, statement);
  });

  it('run a program', async () => {
    const statement = "SELECT * FROM executable('true', 'LineAsString', 'a String')";
    await assertRefused(engine.users.api, ACCESS_DENIED, statement);
    await assertRefused(engine.users.loader, ACCESS_DENIED, statement);
    // The right to make tables includes temporary ones, which is all that this function asks for. It runs scripts of a
    // folder of the engine that none of the users can write to.
    await assertRefused(engine.users.admin, 1, statement);
  });

  it('do not keep the api from asking questions with the settings that it sends', async () => {
    const archive = openArchive({ url: engine.url, database, ...engine.users.api });
    const [from, to, stations] = [Date.UTC(2024, 0) / 1000, Date.UTC(2024, 1) / 1000, ['XAAA']];
    try {
      const statistics: readonly Statistic[] = [{ name: 'reports', kind: 'reports' }];
      const question = { stations, from, to, types: REPORT_TYPES, statistics, groups: [] };
      const clocks = [{ offsets: [{ from: 0, seconds: 0 }], stations }];
      for (const sample of SAMPLES)
        for (const format of ['json', 'parquet'] as const) {
          const asked = { ...question, sample };
          await readStatistics(archive, asked, clocks, { format, threads: 1 });
        }
      const records = { stations, from, to, types: REPORT_TYPES, raw: true, decoded: false, limit: 1000 };
      const stream = { ...records, format: 'ndjson', isWhole: true, states: new Map() } as const;
      assert.equal((await fixRange(archive, stream)).rows, 0);
      const series = hourlyRows({ archive, stations, from, to, fields: ['temp_c'], limit: 1000 });
      assert.equal((await readGridPage(series)).records.count, 744);
      const csv = await text(await openGrid(series, 'csv', await extentOf(series, false)));
      assert.equal(csv.split('\r\n').length, 746);
    } finally {
      await archive.close();
    }
  });
});
