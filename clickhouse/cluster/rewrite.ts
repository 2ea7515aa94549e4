import { withoutComments } from '../statements/sql.ts';

/** Where the tables of an archive are created. */
export type ClusterLayout = {
  /** The name of the cluster in `remote_servers`. */
  readonly cluster: string;
  readonly database: string;
  /** `off`: each shard is one server without Keeper, and each server runs the statements. */
  readonly replication: 'on' | 'off';
};

/** The only sharded table. Every other table is small and replicated to every server. */
const SHARDED = 'observations';
const SHARD = 'observations_shard';

/**
 * Rewrites a single-server statement that changes the schema or deletes rows as the equivalent statements for a
 * cluster. The table `observations` becomes `observations_shard` on each shard, and `observations` reads and writes all
 * of them; each station's reports are on one shard.
 *
 * @throws if the form of the statement is unknown: it could do something else in a cluster
 */
export function rewriteForCluster(statement: string, layout: ClusterLayout): readonly string[] {
  const text = withoutComments(statement).trim();
  for (const [form, rewrite] of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups !== undefined) return rewrite(groups as Groups, layout);
  }
  throw new Error(`This statement has no form for a cluster: ${text.slice(0, 200)}`);
}

type Groups = Readonly<Record<'name' | 'columns' | 'engine' | 'argument' | 'rest', string>>;
type Rewrite = (groups: Groups, layout: ClusterLayout) => readonly string[];

const FORMS: readonly (readonly [RegExp, Rewrite])[] = [
  [
    /^CREATE DATABASE IF NOT EXISTS (?<name>[\w{}:]+)$/,
    ({ name }, layout) => [`CREATE DATABASE IF NOT EXISTS ${name}${onCluster(layout)}`],
  ],
  [
    /^CREATE TABLE IF NOT EXISTS (?<name>\w+)\s+(?<columns>\([\s\S]+\))\s+ENGINE = Null$/,
    ({ name, columns }, layout) => [
      `CREATE TABLE IF NOT EXISTS ${name}${onCluster(layout)} ${columns} ENGINE = Null`,
    ],
  ],
  [
    /^CREATE TABLE IF NOT EXISTS (?<name>\w+)\s+(?<columns>\([\s\S]+\))\s+ENGINE = (?<engine>\w*MergeTree)(?:\((?<argument>\w+)\))?\s+(?<rest>[\s\S]+)$/,
    createTable,
  ],
  [
    /^CREATE MATERIALIZED VIEW IF NOT EXISTS (?<name>\w+)\s+(?<rest>TO \w+ AS\s[\s\S]+)$/,
    // A view sees only rows inserted on its own server.
    ({ name, rest }, layout) => [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name}${onCluster(layout)} ${rest.replace(/\bFROM observations\b/g, `FROM ${SHARD}`)}`,
    ],
  ],
  // It reads from all shards and writes to a table that every server has.
  [/^(?<rest>INSERT INTO coverage \([\s\S]+)$/, ({ rest }) => [rest]],
  [/^ALTER TABLE (?<name>\w+)\s+(?<rest>ADD COLUMN IF NOT EXISTS [\s\S]+)$/, addColumn],
  [
    /^ALTER TABLE (?<name>\w+)\s+(?<rest>DELETE WHERE [\s\S]+)$/,
    ({ name, rest }, layout) => [
      name === SHARDED ? `ALTER TABLE ${SHARD}${onCluster(layout)} ${rest}` : `ALTER TABLE ${name} ${rest}`,
    ],
  ],
];

function createTable(
  { name, columns, engine, argument, rest }: Groups,
  layout: ClusterLayout,
): readonly string[] {
  const create = (table: string, definition: string) =>
    `CREATE TABLE IF NOT EXISTS ${table}${onCluster(layout)} ${definition}`;
  const store = `${columns} ENGINE = ${engineOf(name, engine, argument, layout)}\n${settingsOf(rest, layout)}`;
  if (name !== SHARDED) return [create(name, store)];
  const { cluster, database } = layout;
  return [
    create(SHARD, store),
    create(
      SHARDED,
      `AS ${SHARD} ENGINE = Distributed('${cluster}', '${database}', '${SHARD}', cityHash64(station))`,
    ),
  ];
}

/** Both tables have the columns. Replication alters an unsharded table on every other server. */
function addColumn({ name, rest }: Groups, layout: ClusterLayout): readonly string[] {
  if (name !== SHARDED) return [`ALTER TABLE ${name} ${rest}`];
  return [SHARD, SHARDED].map((table) => `ALTER TABLE ${table}${onCluster(layout)} ${rest}`);
}

function onCluster({ replication, cluster }: ClusterLayout): string {
  return replication === 'on' ? ` ON CLUSTER ${cluster}` : '';
}

function engineOf(
  table: string,
  engine: string,
  argument: string | undefined,
  { replication, cluster }: ClusterLayout,
): string {
  if (replication === 'off') return argument === undefined ? engine : `${engine}(${argument})`;
  const [path, replica] = table === SHARDED ? ['{shard}', '{replica}'] : ['all', '{shard}-{replica}'];
  const place = `'/clickhouse/${cluster}/${path}/{database}/{table}', '${replica}'`;
  return `Replicated${engine}(${argument === undefined ? place : `${place}, ${argument}`})`;
}

/**
 * Keeper remembers the hash of each inserted block. After `remove-demo` it would silently drop a repeated insert of the
 * same rows, so no hash is kept.
 */
function settingsOf(rest: string, { replication }: ClusterLayout): string {
  if (replication === 'off') return rest;
  return `${rest.trimEnd()}${/\bSETTINGS\b/.test(rest) ? ',' : '\nSETTINGS'} replicated_deduplication_window = 0`;
}
