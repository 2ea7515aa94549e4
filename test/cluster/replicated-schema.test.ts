import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { readShards, writeFor } from '../../clickhouse/cluster.ts';
import type { Login } from '../../clickhouse/embedded/users.ts';
import { SCHEMA } from '../../clickhouse/schema.ts';
import { fillSql, readStatement, withoutComments } from '../../clickhouse/statements/sql.ts';
import { freePort } from '../support/engine/engine.ts';
import { newFolder } from '../support/test-run.ts';
import { ClusterServer, DATABASE, LOGINS } from './server.ts';
import { isZooKeeperInstalled, startZooKeeper, type ZooKeeper } from './zookeeper.ts';

const SERVER_FILES = new URL('../../clickhouse/server/', import.meta.url);

const PLACE = { cluster: 'history', database: DATABASE };

/** What `migrate` and `remove-demo` send to a cluster. */
function statementsForCluster(): readonly string[] {
  return [
    `CREATE DATABASE IF NOT EXISTS ${DATABASE}$ON_ALL`,
    ...SCHEMA.map(({ statement }) => statement),
    fillSql(readStatement('maintenance/delete_rows'), {
      table: 'observations$SHARD$ON_ALL',
      condition: 'source = {source:String}',
    }),
  ].map((statement) => writeFor(PLACE, withoutComments(statement)));
}

/** The engine of the npm package has no DDL queue: each server gets the statement that the queue would bring it. */
const withoutQueue = (statement: string) => statement.replace(' ON CLUSTER history', '');

describe('the schema of a cluster', () => {
  const folder = newFolder();

  const startServer = async (
    name: string,
    sections: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<ClusterServer> => {
    const ports = { http: await freePort(), tcp: await freePort() };
    return ClusterServer.create(join(folder, name), ports, sections, environment);
  };

  describe('without Keeper', () => {
    let server: ClusterServer;
    before(async () => {
      server = await startServer('parser', '');
    });
    after(() => server?.kill());

    it('is parsed by the engine, with ON CLUSTER and the settings of a quorum insert', async () => {
      const statements = statementsForCluster();
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

    it('has users for ClickHouse Cloud in statements that the engine parses', async () => {
      const text = await readFile(new URL('cluster/cloud-users.sql', SERVER_FILES), 'utf8');
      const statements = withoutComments(text)
        .split(';')
        .filter((statement) => statement.trim() !== '');
      assert.ok(statements.length >= 8);
      for (const statement of statements)
        await server.ask(LOGINS.admin, `EXPLAIN AST ${statement}`, { database: 'default' });
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

  describe('with the files of docker-compose.cluster.yml', () => {
    let server: ClusterServer;
    before(async () => {
      const files = join(folder, 'compose', 'config.d');
      await mkdir(files, { recursive: true });
      await symlink(fileURLToPath(new URL('cluster/history.xml', SERVER_FILES)), join(files, 'cluster.xml'));
      server = await startServer('compose', '', {
        HISTORY_SHARD: '2',
        HISTORY_REPLICA: '1',
        HISTORY_HOST: 'clickhouse-2-1',
        HISTORY_CLUSTER_SECRET: 'secret',
      });
    });
    after(() => server?.kill());

    it('has two shards with two replicas, and what the tables need', async () => {
      const settings = { url: server.url, database: 'default', cluster: 'history', ...LOGINS.loader };
      const client = openArchive(settings);
      assert.deepEqual(await readShards(client, 'history'), [
        { shard: 1, replicas: 2, internalReplication: 1 },
        { shard: 2, replicas: 2, internalReplication: 1 },
      ]);
      await client.close();
      assert.equal((await readInsertSettings(settings)).insert_quorum, '2');
      assert.equal(
        await server.ask(LOGINS.loader, "SELECT substitution FROM system.macros WHERE macro = 'shard'", {
          database: 'default',
        }),
        '2',
      );
    });
  });

  if (isZooKeeperInstalled())
    describe('with ZooKeeper, two replicas of a shard and one of another', () => {
      let zookeeper: ZooKeeper;
      let servers: readonly ClusterServer[];
      before(async () => {
        zookeeper = await startZooKeeper();
        const names = ['1-1', '1-2', '2-1'];
        servers = await Promise.all(names.map((name) => startServer(name, sectionsOf(name))));
      });
      after(async () => {
        await Promise.all((servers ?? []).map((server) => server.kill()));
        await zookeeper?.stop();
      });

      /** @param name `SHARD-REPLICA` */
      const sectionsOf = (name: string) => `
        <zookeeper><node><host>127.0.0.1</host><port>${zookeeper.port}</port></node></zookeeper>
        <macros><shard>${name.split('-')[0]}</shard><replica>${name.split('-')[1]}</replica></macros>
        <remote_servers><history><secret>secret</secret><shard><replica><host>127.0.0.1</host><port>1</port></replica></shard></history></remote_servers>`;

      /**
       * A replica of these processes never becomes active: they have no listener for replicas. A table over all shards
       * only passes statements on to them. A column after one that was refused is not found.
       */
      const isRefused = (statement: string) => /^ALTER TABLE (?!(?:station_)?observations\s)/.test(statement);

      it('is accepted on every server, except what needs an active replica', async () => {
        for (const statement of statementsForCluster())
          for (const server of servers) {
            const database = statement.startsWith('CREATE DATABASE') ? 'default' : DATABASE;
            const run = () =>
              server.ask(LOGINS.admin, withoutQueue(statement), { database, param_source: 'demo' });
            if (isRefused(statement))
              await assert.rejects(
                run(),
                /TABLE_IS_READ_ONLY|Cannot assign mutation|Cannot find column convective/,
              );
            else await run();
          }
        const paths = await Promise.all(servers.map((server) => pathsOf(server)));
        assert.deepEqual(paths, [
          ['/clickhouse/history/1/history/observations_shard', '/clickhouse/history/all/history/coverage'],
          ['/clickhouse/history/1/history/observations_shard', '/clickhouse/history/all/history/coverage'],
          ['/clickhouse/history/2/history/observations_shard', '/clickhouse/history/all/history/coverage'],
        ]);
      });

      it('is copied to a further replica from what another one shows', async () => {
        const [first] = servers;
        assert.ok(first !== undefined);
        const added = await startServer('1-3', sectionsOf('1-3'));
        try {
          await added.ask(LOGINS.admin, `CREATE DATABASE ${DATABASE}`, { database: 'default' });
          const names = (await first.ask(LOGINS.admin, 'SHOW TABLES')).split('\n');
          const shown = await Promise.all(
            names.map((name) => first.ask(LOGINS.admin, `SHOW CREATE TABLE ${name} FORMAT TSVRaw`)),
          );
          const rank = (statement: string) =>
            [/^CREATE TABLE \S+observations_shard/, /^CREATE TABLE/, /^CREATE MATERIALIZED VIEW/].findIndex(
              (form) => form.test(statement),
            );
          for (const statement of shown.toSorted((a, b) => rank(a) - rank(b)))
            await added.ask(LOGINS.admin, statement);
          assert.deepEqual(await pathsOf(added), await pathsOf(first));
        } finally {
          await added.kill();
        }
      });

      /** The paths of a table with shards and of one without, as an error about the replica names them. */
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
