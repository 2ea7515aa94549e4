import { randomInt } from 'node:crypto';
import { type Archive, canceledBy, type Select, type StatementSettings } from './archive.ts';
import { REPORT_TABLES } from './statements/current-reports.ts';
import { selectRows } from './statements/select.ts';
import { readStatement, withoutComments } from './statements/sql.ts';

/**
 * A process reads only the shards of the stations that a statement names, and sticks to one replica of each shard while
 * that replica responds. Replicas receive a part at different times: a process that found new rows on one replica and
 * then read a page from another could cache a page without them.
 */
export const CLUSTER_READS: StatementSettings = {
  optimize_skip_unused_shards: 1,
  load_balancing: 'first_or_random',
  // ClickHouse takes it modulo the number of replicas.
  load_balancing_first_offset: String(randomInt(1 << 16)),
};

/** Where the tables of an archive are: a cluster of `remote_servers`, and a database on each of its servers. */
type Place = { readonly cluster: string; readonly database: string };

/**
 * An archive on a cluster that accepts single-server statements: commands are rewritten for the cluster, and a SELECT
 * of some stations' reports reads only their shards.
 */
export function onCluster(archive: Archive, place: Place): Archive {
  return {
    ...archive,
    select: (select, signal) => archive.select(withShardSkipping(select), signal),
    stream: (select, signal) => archive.stream(withShardSkipping(select), signal),
    async command({ query, ...statement }, signal) {
      for (const rewritten of rewriteForCluster(query, place))
        await archive.command({ ...statement, query: rewritten }, signal);
    },
  };
}

/** Only the new analyzer prunes shards by `station IN {stations:Array(String)}`. */
function withShardSkipping(select: Select): Select {
  return select.ofStations ? { ...select, settings: { ...select.settings, enable_analyzer: 1 } } : select;
}

/** Only the tables of reports are sharded. Every other table is small and replicated to every server. */
const SHARDED: readonly string[] = REPORT_TABLES;

/** The table of one shard. */
function shardOf(table: string): string {
  return `${table}_shard`;
}

/**
 * Rewrites a single-server statement that changes the schema or rows as the equivalent statements for a cluster. A table of
 * reports, `observations`, becomes `observations_shard` on each shard, and `observations` reads and writes all of them; each
 * station's reports are on one shard, in both tables.
 *
 * @throws if the form of the statement is unknown: it could do something else in a cluster
 */
export function rewriteForCluster(statement: string, place: Place): readonly string[] {
  const text = withoutComments(statement).trim();
  for (const [form, rewrite] of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return rewrite(groups as Groups, ` ON CLUSTER ${place.cluster}`, place);
  }
  throw new Error(`This statement has no form for a cluster: ${text.slice(0, 200)}`);
}

type Groups = Readonly<Record<'name' | 'columns' | 'engine' | 'argument' | 'rest', string>>;
type Rewrite = (groups: Groups, onAll: string, place: Place) => readonly string[];

const FORMS: readonly (readonly [RegExp, Rewrite])[] = [
  [
    /^CREATE DATABASE IF NOT EXISTS (?<name>[\w{}:]+)$/,
    ({ name }, onAll) => [`CREATE DATABASE IF NOT EXISTS ${name}${onAll}`],
  ],
  [
    /^CREATE TABLE IF NOT EXISTS (?<name>\w+)\s+(?<columns>\([\s\S]+\))\s+ENGINE = (?<engine>Null$|\w*MergeTree)(?:\((?<argument>\w+)\))?\s*(?<rest>[\s\S]*)$/,
    createTable,
  ],
  [
    /^CREATE MATERIALIZED VIEW IF NOT EXISTS (?<name>\w+)\s+(?<rest>TO \w+ AS\s[\s\S]+)$/,
    // A view sees only rows inserted on its own server.
    ({ name, rest }, onAll) => [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name}${onAll} ${rest.replace(/\bFROM ((?:station_)?observations)\b/g, (_, table) => `FROM ${shardOf(table)}`)}`,
    ],
  ],
  // It reads from all shards, and writes to all of them or to a table that every server has.
  [/^(?<rest>INSERT INTO (?:coverage|observations|station_observations) \([\s\S]+)$/, ({ rest }) => [rest]],
  [
    /^ALTER TABLE (?<name>observations|station_observations)\s+(?<rest>ADD COLUMN IF NOT EXISTS [\s\S]+)$/,
    // A Distributed table has no indexes.
    ({ name, rest }, onAll) => [
      `ALTER TABLE ${shardOf(name)}${onAll} ${rest}`,
      `ALTER TABLE ${name}${onAll} ${rest.replace(/, ADD INDEX [\s\S]+$/, '')}`,
    ],
  ],
  [
    /^ALTER TABLE (?<name>\w+)\s+(?<rest>DELETE WHERE [\s\S]+)$/,
    // Replication deletes the rows of an unsharded table on every other server.
    ({ name, rest }, onAll) => [
      `ALTER TABLE ${SHARDED.includes(name) ? shardOf(name) + onAll : name} ${rest}`,
    ],
  ],
  // The same for changed rows; those of reports never change.
  [
    /^ALTER TABLE (?<name>coverage|slices)\s+(?<rest>UPDATE [\s\S]+ WHERE [\s\S]+)$/,
    ({ name, rest }) => [`ALTER TABLE ${name} ${rest}`],
  ],
];

function createTable(
  { name, columns, engine, argument, rest }: Groups,
  onAll: string,
  { cluster, database }: Place,
): readonly string[] {
  const create = (table: string, definition: string) =>
    `CREATE TABLE IF NOT EXISTS ${table}${onAll} ${definition}`;
  if (engine === 'Null') return [create(name, `${columns} ENGINE = Null`)];
  const isSharded = SHARDED.includes(name);
  const [path, replica] = isSharded ? ['{shard}', '{replica}'] : ['all', '{shard}-{replica}'];
  const inKeeper = `'/clickhouse/${cluster}/${path}/{database}/{table}', '${replica}'`;
  const replicated = `Replicated${engine}(${argument === undefined ? inKeeper : `${inKeeper}, ${argument}`})`;
  // Keeper remembers the hash of each inserted block. After `remove-demo` it would silently drop a repeated insert of
  // the same rows, so no hash is kept.
  const settings = `${/\bSETTINGS\b/.test(rest) ? ',' : '\nSETTINGS'} replicated_deduplication_window = 0`;
  const store = `${columns} ENGINE = ${replicated}\n${rest.trimEnd()}${settings}`;
  if (!isSharded) return [create(name, store)];
  const shard = shardOf(name);
  const engineOfAll = `Distributed('${cluster}', '${database}', '${shard}', cityHash64(station))`;
  return [create(shard, store), create(name, `AS ${shard} ENGINE = ${engineOfAll}`)];
}

/** One shard of a cluster, as `system.clusters` has it. */
export type Shard = {
  readonly replicas: number;
  /** 1 if the tables of a shard replicate an insert, 0 if the Distributed table does. */
  readonly internalReplication: number;
};

const SHARDS = readStatement('server/cluster_shards');
const MACROS = readStatement('server/macros');

/** Used in the paths of the tables in Keeper. */
const MACROS_NEEDED = ['shard', 'replica'];

const TIMEOUT_MS = 10_000;

/**
 * Reads the shards of a cluster.
 *
 * @throws if the server does not know the cluster or lacks anything that the tables need; the message lists it all
 */
export async function readShards(client: Archive, cluster: string): Promise<readonly Shard[]> {
  const archive = canceledBy(AbortSignal.timeout(TIMEOUT_MS), client);
  const shards = await selectRows<Shard>(archive, { query: SHARDS, params: { cluster } });
  const macros = await selectRows<{ macro: string }>(archive, { query: MACROS });
  const names = macros.map(({ macro }) => macro);
  const missing = missingRequirements(shards, names, cluster);
  if (missing.length > 0)
    throw new Error(`ClickHouse is not ready for CLICKHOUSE_CLUSTER=${cluster}:\n- ${missing.join('\n- ')}`);
  return shards;
}

export function missingRequirements(
  shards: readonly Shard[],
  macros: readonly string[],
  cluster: string,
): readonly string[] {
  const missing: string[] = [];
  if (shards.length === 0) missing.push(`the cluster ${cluster} is unknown: add it to <remote_servers>`);
  if (new Set(shards.map(({ replicas }) => replicas)).size > 1)
    missing.push('shards have different numbers of replicas: give each shard the same number');
  if (shards.some(({ replicas, internalReplication }) => replicas > 1 && internalReplication === 0))
    missing.push('a shard has no internal replication: set <internal_replication> to true');
  for (const macro of MACROS_NEEDED)
    if (!macros.includes(macro)) missing.push(`the macro ${macro} is missing: add it to <macros>`);
  return missing;
}
