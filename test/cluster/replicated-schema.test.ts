import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { rewriteForCluster } from '../../clickhouse/cluster/rewrite.ts';
import type { Login } from '../../clickhouse/embedded/users.ts';
import { CREATE_MIGRATIONS } from '../../clickhouse/migrate.ts';
import { readMigrations } from '../../clickhouse/released-migrations.ts';
import { fillSql, readSqlFile } from '../../clickhouse/sql-file.ts';
import { freePort } from '../support/engine.ts';
import { ClusterServer, DATABASE, LOGINS } from './server.ts';
import { isZooKeeperInstalled, startZooKeeper, type ZooKeeper } from './zookeeper.ts';

const LAYOUT = { cluster: 'history', database: DATABASE, replication: 'on' } as const;

/** What `migrate` and `remove-demo` send to a cluster. */
async function statementsForCluster(): Promise<readonly string[]> {
  const migrations = await readMigrations();
  return [
    `CREATE DATABASE IF NOT EXISTS ${DATABASE}`,
    CREATE_MIGRATIONS,
    ...migrations.map(({ statement }) => statement),
    fillSql(readSqlFile('delete_source'), { table: 'observations' }),
  ].flatMap((statement) => rewriteForCluster(statement, LAYOUT));
}

/** The engine of the npm package has no DDL queue: each server gets the statement that the queue would bring it. */
const withoutQueue = (statement: string) => statement.replace(' ON CLUSTER history', '');

describe('the schema of a cluster', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'schema-'));
  });
  after(() => rm(folder, { recursive: true }));

  const startServer = async (name: string, sections: string) =>
    ClusterServer.create(join(folder, name), { http: await freePort(), tcp: await freePort() }, sections);

  describe('without Keeper', () => {
    let server: ClusterServer;
    before(async () => {
      server = await startServer('parser', '');
    });
    after(() => server?.kill());

    it('is parsed by the engine, with ON CLUSTER and the settings of a quorum insert', async () => {
      const statements = await statementsForCluster();
      assert.ok(statements.filter((statement) => statement.includes(' ON CLUSTER history')).length >= 12);
      for (const statement of statements) {
        const params = { database: 'default', param_source: 'demo' };
        assert.notEqual(await server.ask(LOGINS.admin, `EXPLAIN AST ${statement}`, params), '', statement);
      }
      const insert =
        'EXPLAIN AST INSERT INTO observations SETTINGS distributed_foreground_insert = 1, insert_quorum = 2, insert_quorum_timeout = 60000, insert_deduplicate = 0 VALUES';
      assert.notEqual(await server.ask(LOGINS.loader, insert, { database: 'default' }), '');
      await assert.rejects(
        server.ask(LOGINS.admin, 'EXPLAIN AST CREATE TABLE a ON CLUSTER', { database: 'default' }),
        /SYNTAX_ERROR/,
      );
    });

    it('needs no right that its users lack', async () => {
      const has = async (login: Login, right: string) =>
        (await server.ask(login, `CHECK GRANT ${right}`, { database: 'default' })) === '1';
      for (const login of [LOGINS.admin, LOGINS.loader]) {
        assert.ok(await has(login, 'CLUSTER ON *.*'));
        assert.ok(await has(login, `ALTER DELETE ON ${DATABASE}.*`));
      }
      assert.ok(!(await has(LOGINS.api, 'CLUSTER ON *.*')));
      assert.ok(!(await has(LOGINS.admin, 'READ ON REMOTE')), 'the right to reach other servers');
    });
  });

  if (isZooKeeperInstalled())
    describe('with ZooKeeper, two replicas of a shard and one of another', () => {
      let zookeeper: ZooKeeper;
      let servers: readonly ClusterServer[];
      before(async () => {
        zookeeper = await startZooKeeper();
        servers = await Promise.all(
          [
            [1, 1],
            [1, 2],
            [2, 1],
          ].map(([shard, replica]) => startServer(`${shard}-${replica}`, sectionsOf(shard, replica))),
        );
      });
      after(async () => {
        await Promise.all((servers ?? []).map((server) => server.kill()));
        await zookeeper?.stop();
      });

      const sectionsOf = (shard = 0, replica = 0) => `
        <zookeeper><node><host>127.0.0.1</host><port>${zookeeper.port}</port></node></zookeeper>
        <macros><shard>${shard}</shard><replica>${replica}</replica></macros>
        <remote_servers><history><secret>secret</secret><shard><replica><host>127.0.0.1</host><port>1</port></replica></shard></history></remote_servers>`;

      /** A replica of these processes never becomes active, for they have no listener for replicas. */
      const isRefused = (statement: string) => /^ALTER TABLE observations_shard/.test(statement);

      it('is accepted on every server, but for what needs an active replica', async () => {
        for (const statement of await statementsForCluster())
          for (const server of servers) {
            const database = statement.startsWith('CREATE DATABASE') ? 'default' : DATABASE;
            const run = () =>
              server.ask(LOGINS.admin, withoutQueue(statement), { database, param_source: 'demo' });
            if (isRefused(statement))
              await assert.rejects(run(), /TABLE_IS_READ_ONLY|Cannot assign mutation/);
            else await run();
          }
        const paths = await Promise.all(servers.map((server) => pathsOf(server)));
        assert.deepEqual(paths, [
          ['/clickhouse/history/1/history/observations_shard', '/clickhouse/history/all/history/coverage'],
          ['/clickhouse/history/1/history/observations_shard', '/clickhouse/history/all/history/coverage'],
          ['/clickhouse/history/2/history/observations_shard', '/clickhouse/history/all/history/coverage'],
        ]);
      });

      /** Of a table with shards and of one without, as an error about the replica names them. */
      async function pathsOf(server: ClusterServer): Promise<readonly string[]> {
        const tables = ['observations_shard', 'coverage'];
        return Promise.all(
          tables.map(async (table) => {
            const error: Error = await server
              .ask(LOGINS.admin, `ALTER TABLE ${table} ADD COLUMN a Int8`)
              .then(() => assert.fail('the replica is active'))
              .catch((reason) => reason);
            return /replica path: (\S+)\/replicas\//.exec(error.message)?.[1] ?? error.message;
          }),
        );
      }
    });
  else
    console.log(
      'NOT RUN: the replicated tables against ZooKeeper, for it is not installed (Debian: apt-get install -y zookeeper).',
    );
});
