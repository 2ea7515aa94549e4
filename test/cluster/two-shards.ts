import { join } from 'node:path';
import type { ArchiveSettings } from '../../clickhouse/client.ts';
import { writeFor } from '../../clickhouse/cluster.ts';
import { SCHEMA } from '../../clickhouse/schema.ts';
import { withoutComments } from '../../clickhouse/statements/sql.ts';
import { freePort } from '../support/engine/engine.ts';
import { newFolder } from '../support/test-run.ts';
import { ClusterServer, DATABASE, LOGINS, type Ports } from './server.ts';

const CLUSTER = 'history';
export const PLACE = { cluster: CLUSTER, database: DATABASE };

export type TwoShards = {
  /** The first has the small tables. */
  readonly servers: readonly [ClusterServer, ClusterServer];
  /** What a program needs for the cluster, by way of one of its servers. */
  settingsOf(program: keyof typeof LOGINS, server?: 0 | 1): ArchiveSettings;
  /** The same as environment variables. */
  environmentOf(program: keyof typeof LOGINS): Readonly<Record<string, string>>;
  /** The station codes of a list by their shard. */
  byShard(stations: readonly string[]): Promise<readonly [readonly string[], readonly string[]]>;
  stop(): Promise<void>;
};

/**
 * Two shards of one replica each: ClickHouse servers out of the npm package that reach each other over TCP.
 *
 * They have no replication, so the schema is rewritten without it. Where every server of a real cluster has a replica of
 * each small table, the second server here reads and writes those of the first: so the views of both shards feed one
 * `coverage`, as they do in a real cluster.
 */
export async function startTwoShards(): Promise<TwoShards> {
  const folder = newFolder();
  const ports = await Promise.all([newPorts(), newPorts()]);
  const create = (n: 0 | 1) =>
    ClusterServer.create(join(folder, `${n + 1}`), ports[n], remoteServers(ports) + macros(n + 1));
  const servers = await Promise.all([create(0), create(1)]);
  const [first, second] = servers;
  await makeTables(first, (statement) => statement);
  await makeTables(second, tableOfSecondServer);
  return {
    servers,
    settingsOf: (program, server = 0) => ({
      url: servers[server].url,
      database: DATABASE,
      cluster: CLUSTER,
      ...LOGINS[program],
    }),
    environmentOf: (program) => ({
      CLICKHOUSE_URL: first.url,
      CLICKHOUSE_CLUSTER: CLUSTER,
      CLICKHOUSE_DATABASE: DATABASE,
      CLICKHOUSE_USER: LOGINS[program].username,
      CLICKHOUSE_PASSWORD: LOGINS[program].password,
    }),
    async byShard(stations) {
      const list = stations.map((station) => `'${station}'`).join();
      const answer = await first.ask(
        LOGINS.loader,
        `SELECT station, cityHash64(station) % 2 FROM (SELECT arrayJoin([${list}]) AS station)`,
      );
      const shards: [string[], string[]] = [[], []];
      for (const [station = '', shard] of answer.split('\n').map((line) => line.split('\t')))
        shards[shard === '0' ? 0 : 1].push(station);
      return shards;
    },
    async stop() {
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}

async function newPorts(): Promise<Ports> {
  return { http: await freePort(), tcp: await freePort() };
}

/** `first` is the server that has the small tables. */
function remoteServers(ports: readonly [Ports, Ports]): string {
  const shard = ({ tcp }: Ports) =>
    `<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>${tcp}</port></replica></shard>`;
  return `<remote_servers>
    <${CLUSTER}><secret>secret of the cluster</secret>${ports.map(shard).join('')}</${CLUSTER}>
    <first><secret>secret of the cluster</secret>${shard(ports[0])}</first>
  </remote_servers>`;
}

function macros(shard: number): string {
  return `<macros><shard>${shard}</shard><replica>1</replica></macros>`;
}

async function makeTables(
  server: ClusterServer,
  adapt: (statement: string) => string | undefined,
): Promise<void> {
  const statements = [
    `CREATE DATABASE IF NOT EXISTS ${DATABASE}$ON_ALL`,
    ...SCHEMA.map(({ statement }) => statement),
  ];
  for (const statement of statements) {
    const adapted = adapt(withoutKeeper(writeFor(PLACE, withoutComments(statement))));
    if (adapted !== undefined) await server.ask(LOGINS.admin, adapted, { database: databaseFor(adapted) });
  }
}

/** Each server gets the statement itself, and its tables have no replicas. */
function withoutKeeper(statement: string): string {
  return statement
    .replace(` ON CLUSTER ${CLUSTER}`, '')
    .replace(/Replicated(\w+)\('[^']*', '[^']*'(?:, )?(\w*)\)/, '$1($2)')
    .replace(', replicated_deduplication_window = 0', '')
    .replace('SETTINGS replicated_deduplication_window = 0', '');
}

function databaseFor(statement: string): string {
  return statement.startsWith('CREATE DATABASE') ? 'default' : DATABASE;
}

/** The small tables are those of the first server, and so is the view on one of them. */
function tableOfSecondServer(statement: string): string | undefined {
  const [, table = ''] = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement) ?? [];
  if (/\bFROM slices\b/.test(statement)) return undefined;
  if (!/ENGINE = \w*MergeTree/.test(statement) || table.endsWith('_shard')) return statement;
  return statement.replace(
    /\)\s+ENGINE = \w*MergeTree[\s\S]*$/,
    `) ENGINE = Distributed('first', '${DATABASE}', '${table}')`,
  );
}
