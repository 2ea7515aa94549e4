import { withoutComments } from '../statements/sql-file.ts';

/** Where the tables of an archive are made. */
export type ClusterLayout = {
  /** The name of the cluster in `remote_servers`. */
  readonly cluster: string;
  readonly database: string;
  /** `off`: each shard is one server without Keeper, and the statements are run on each of them. */
  readonly replication: 'on' | 'off';
};

/** The only table with shards. Every other table is small and has a replica on every server. */
const SHARDED = 'observations';
const SHARD = 'observations_shard';

/**
 * Rewrites a statement that changes the schema or deletes rows of one server to the statements that do the same in a
 * cluster. The table `observations` of one server is `observations_shard` on each shard, and `observations` reads and
 * writes all of them; the reports of a station are on one shard.
 *
 * @throws when the statement has a form that is not known: it could do something else in a cluster
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
    // A view sees the rows that are inserted on its own server.
    ({ name, rest }, layout) => [
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name}${onCluster(layout)} ${rest.replace(/\bFROM observations\b/g, `FROM ${SHARD}`)}`,
    ],
  ],
  // Its rows are read from all shards and written to a table that every server has.
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

/** Both tables have the columns. A table without shards is altered by its replication on every other server. */
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
 * Keeper remembers the hash of each inserted block. After `remove-demo` a repeated insert of the same rows would be
 * dropped in silence, so no hash is kept.
 */
function settingsOf(rest: string, { replication }: ClusterLayout): string {
  if (replication === 'off') return rest;
  return `${rest.trimEnd()}${/\bSETTINGS\b/.test(rest) ? ',' : '\nSETTINGS'} replicated_deduplication_window = 0`;
}
