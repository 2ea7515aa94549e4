import { randomInt } from 'node:crypto';
import { type Archive, canceledBy, type Select, type StatementSettings } from './archive.ts';
import { REPORT_TABLES } from './statements/current-reports.ts';
import { namedStatement, selectRows } from './statements/select.ts';
import { withoutComments } from './statements/sql.ts';

/** Read only the shards of the stations, and one replica of each while it responds: others may lack a part that was seen before. */
export const CLUSTER_READS: StatementSettings = {
  optimize_skip_unused_shards: 1,
  load_balancing: 'first_or_random',
  // ClickHouse uses this number modulo the number of replicas.
  load_balancing_first_offset: String(randomInt(1 << 16)),
};

/** Where the tables of an archive are: a cluster of `remote_servers`, and a database on each of its servers. */
export type ClusterDatabase = { readonly cluster: string; readonly database: string };

/** What the names in capital letters of a statement become: `$ON_ALL`, and with arguments `$REPLICATED(MergeTree)`. */
type Layout = Readonly<Record<string, (...args: readonly string[]) => string>>;

const nothing = () => '';
const engine = (name = '', ...args: readonly string[]) =>
  args.length === 0 ? name : `${name}(${args.join(', ')})`;

const ONE_SERVER: Layout = {
  ON_ALL: nothing,
  SHARD: nothing,
  DISTRIBUTED: nothing,
  REPLICATED: engine,
  SHARDED: engine,
  SETTINGS: nothing,
  MORE_SETTINGS: nothing,
  PARTS: (...tables) => `SELECT table, concat('0-', name) AS name, toUInt32(rows) AS rows,
    toUnixTimestamp(min_time) AS "from", toUInt32(toUnixTimestamp(max_time) + 1) AS "to"
FROM system.parts
WHERE database = currentDatabase() AND table IN ('${tables.join("', '")}') AND active`,
};

/** Writes a `Replicated…` engine with the path of the table in Keeper and the name of its replica there. */
function inKeeper(cluster: string, path: string, replica: string) {
  const where = [`'/clickhouse/${cluster}/${path}/{database}/{table}'`, `'${replica}'`];
  return (name = '', ...args: readonly string[]) => engine(`Replicated${name}`, ...where, ...args);
}

/** Keeper keeps no hashes of blocks: by them, it would drop an insert of rows that `remove-demo` has deleted meanwhile. */
const NO_HASHES = 'replicated_deduplication_window = 0';

function layoutOf({ cluster, database }: ClusterDatabase): Layout {
  return {
    ON_ALL: () => ` ON CLUSTER ${cluster}`,
    /** The suffix of the table of one shard. The name without it is that of the table over all shards. */
    SHARD: () => '_shard',
    DISTRIBUTED: (table) =>
      `CREATE TABLE IF NOT EXISTS ${table} ON CLUSTER ${cluster} AS ${table}_shard
ENGINE = Distributed('${cluster}', '${database}', '${table}_shard', cityHash64(station))`,
    /** On every server the same rows. */
    REPLICATED: inKeeper(cluster, 'all', '{shard}-{replica}'),
    /** On the replicas of a shard the same rows. */
    SHARDED: inKeeper(cluster, '{shard}', '{replica}'),
    SETTINGS: () => `SETTINGS ${NO_HASHES}`,
    MORE_SETTINGS: () => `, ${NO_HASHES}`,
    /** `system.parts` of other servers would take a grant for any server. This comes from the metadata of parts too. */
    PARTS: (...tables) =>
      tables
        .map((table) => {
          const time = (REPORT_TABLES as readonly string[]).includes(table) ? 'observedAt' : 'toDateTime(0)';
          return `SELECT '${table}' AS table, concat(toString(shardNum()), '-', _part) AS name, toUInt32(count()) AS rows,
    toUnixTimestamp(min(${time})) AS "from", toUInt32(toUnixTimestamp(max(${time})) + 1) AS "to"
FROM ${table}
GROUP BY shardNum(), _part`;
        })
        .join('\nUNION ALL\n'),
  };
}

/** A statement as this layout needs it; empty if there is nothing to do. Throws for a `$NAME` that no layout has. */
export function writeFor(place: ClusterDatabase | undefined, statement: string): string {
  const layout = place === undefined ? ONE_SERVER : layoutOf(place);
  return statement
    .replace(/\$([A-Z_]+)(?:\(([^()]*)\))?/g, (_, name: string, args?: string) => {
      const write = layout[name];
      if (write === undefined) throw new Error(`No layout of an archive knows $${name}`);
      return write(...(args === undefined ? [] : args.split(', ')));
    })
    .trim();
}

/** Accepts statements for any layout; in a cluster a SELECT of some stations reads only their shards. */
export function withLayout(archive: Archive, place: ClusterDatabase | undefined): Archive {
  const command: Archive['command'] = async ({ query, ...statement }, signal) => {
    const written = writeFor(place, withoutComments(query));
    if (written !== '') await archive.command({ ...statement, query: written }, signal);
  };
  if (place === undefined) return { ...archive, command };
  return {
    ...archive,
    isCluster: true,
    command,
    select: (select, signal) => archive.select(withShardSkipping(select), signal),
    stream: (select, signal) => archive.stream(withShardSkipping(select), signal),
  };
}

/** Enables the new analyzer, because only it skips shards by `station IN {stations:Array(String)}`. */
function withShardSkipping(select: Select): Select {
  return select.ofStations ? { ...select, settings: { ...select.settings, enable_analyzer: 1 } } : select;
}

export type Shard = {
  readonly replicas: number;
  /** 1 if the tables of a shard replicate an insert, 0 if the Distributed table does. */
  readonly internalReplication: number;
};

const SHARDS_TIMEOUT_MS = 10_000;

/** @throws if the server does not know the cluster or lacks anything that the tables need; the message lists it all */
export async function readShards(client: Archive, cluster: string): Promise<readonly Shard[]> {
  const archive = canceledBy(AbortSignal.timeout(SHARDS_TIMEOUT_MS), client);
  const shards = await selectRows<Shard>(archive, namedStatement('server/cluster_shards', { cluster }));
  const macros = await selectRows<{ macro: string }>(archive, namedStatement('server/macros'));
  const names = macros.map(({ macro }) => macro);
  const missing = missingRequirements(shards, names, cluster);
  if (missing.length > 0)
    throw new Error(`ClickHouse is not ready for CLICKHOUSE_CLUSTER=${cluster}:\n- ${missing.join('\n- ')}`);
  return shards;
}

export function missingRequirements(shards: readonly Shard[], macros: readonly string[], cluster: string) {
  const missing: string[] = [];
  if (shards.length === 0) missing.push(`the cluster ${cluster} is unknown: add it to <remote_servers>`);
  if (new Set(shards.map(({ replicas }) => replicas)).size > 1)
    missing.push('shards have different numbers of replicas: give each shard the same number');
  if (shards.some(({ replicas, internalReplication }) => replicas > 1 && internalReplication === 0))
    missing.push('a shard has no internal replication: set <internal_replication> to true');
  for (const macro of ['shard', 'replica'])
    if (!macros.includes(macro)) missing.push(`the macro ${macro} is missing: add it to <macros>`);
  return missing;
}
