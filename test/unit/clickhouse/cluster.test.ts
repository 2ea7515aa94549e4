import assert from 'node:assert/strict';
import { missingRequirements, rewriteForCluster, type Shard } from '../../../clickhouse/cluster.ts';
import { SCHEMA } from '../../../clickhouse/schema.ts';

const rewrite = (statement: string) =>
  rewriteForCluster(statement, { cluster: 'history', database: 'weather' });

describe('rewrite for a cluster', () => {
  it('copies reports from one table over all shards to another', () => {
    const statement = 'INSERT INTO station_observations (a) SELECT a FROM observations FINAL';
    assert.deepEqual(rewrite(statement), [statement]);
  });

  it('makes the table of the reports on each shard, and one over all of them', () => {
    assert.deepEqual(
      rewrite(
        'CREATE TABLE IF NOT EXISTS observations\n(a Int8, PROJECTION p (SELECT *))\nENGINE = ReplacingMergeTree(version)\nORDER BY a\nSETTINGS b = 1',
      ),
      [
        "CREATE TABLE IF NOT EXISTS observations_shard ON CLUSTER history (a Int8, PROJECTION p (SELECT *)) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/history/{shard}/{database}/{table}', '{replica}', version)\nORDER BY a\nSETTINGS b = 1, replicated_deduplication_window = 0",
        "CREATE TABLE IF NOT EXISTS observations ON CLUSTER history AS observations_shard ENGINE = Distributed('history', 'weather', 'observations_shard', cityHash64(station))",
      ],
    );
  });

  it('makes every other table once, with a replica on every server', () => {
    assert.deepEqual(
      rewrite('CREATE TABLE IF NOT EXISTS coverage (a Int8) ENGINE = AggregatingMergeTree ORDER BY a'),
      [
        "CREATE TABLE IF NOT EXISTS coverage ON CLUSTER history (a Int8) ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/history/all/{database}/{table}', '{shard}-{replica}')\nORDER BY a\nSETTINGS replicated_deduplication_window = 0",
      ],
    );
    assert.deepEqual(rewrite('CREATE TABLE IF NOT EXISTS s (a Int8) ENGINE = Null'), [
      'CREATE TABLE IF NOT EXISTS s ON CLUSTER history (a Int8) ENGINE = Null',
    ]);
  });

  it('feeds a view from the reports of its own shard', () => {
    assert.deepEqual(
      rewrite(
        'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO coverage AS SELECT a\nFROM station_observations\nWHERE a',
      ),
      [
        'CREATE MATERIALIZED VIEW IF NOT EXISTS v ON CLUSTER history TO coverage AS SELECT a\nFROM station_observations_shard\nWHERE a',
      ],
    );
  });

  it('adds a column to the shards before the table over them', () => {
    assert.deepEqual(rewrite('ALTER TABLE observations\n    ADD COLUMN IF NOT EXISTS a String AFTER b'), [
      'ALTER TABLE observations_shard ON CLUSTER history ADD COLUMN IF NOT EXISTS a String AFTER b',
      'ALTER TABLE observations ON CLUSTER history ADD COLUMN IF NOT EXISTS a String AFTER b',
    ]);
    const withIndex =
      'ADD COLUMN IF NOT EXISTS a Int8, ADD INDEX IF NOT EXISTS range_a a TYPE minmax GRANULARITY 1';
    assert.deepEqual(rewrite(`ALTER TABLE station_observations ${withIndex}`), [
      `ALTER TABLE station_observations_shard ON CLUSTER history ${withIndex}`,
      'ALTER TABLE station_observations ON CLUSTER history ADD COLUMN IF NOT EXISTS a Int8',
    ]);
  });

  it('deletes rows on every shard, and deletes or changes those of any other table once', () => {
    assert.deepEqual(rewrite('ALTER TABLE observations DELETE WHERE a SETTINGS mutations_sync = 2'), [
      'ALTER TABLE observations_shard ON CLUSTER history DELETE WHERE a SETTINGS mutations_sync = 2',
    ]);
    for (const statement of [
      'ALTER TABLE slices DELETE WHERE a',
      'ALTER TABLE coverage UPDATE a = 1 WHERE b',
    ])
      assert.deepEqual(rewrite(statement), [statement]);
  });

  it('makes the database on every server', () => {
    assert.deepEqual(rewrite('CREATE DATABASE IF NOT EXISTS {database:Identifier}'), [
      'CREATE DATABASE IF NOT EXISTS {database:Identifier} ON CLUSTER history',
    ]);
  });

  it('ignores comments, but not a text that looks like one', () => {
    assert.deepEqual(rewrite("-- ENGINE = Null\nALTER TABLE slices DELETE WHERE a = '-- b' -- c"), [
      "ALTER TABLE slices DELETE WHERE a = '-- b'",
    ]);
  });

  it('refuses a statement that it does not know', () => {
    for (const statement of [
      'TRUNCATE TABLE observations',
      'CREATE TABLE observations (a Int8) ENGINE = MergeTree ORDER BY a',
      'CREATE TABLE IF NOT EXISTS t (a Int8) ENGINE = Memory',
      'ALTER TABLE observations MODIFY COLUMN a String',
      'ALTER TABLE observations UPDATE a = 1 WHERE b',
      'ALTER TABLE slices ADD COLUMN IF NOT EXISTS a String',
      'OPTIMIZE TABLE observations FINAL',
      '',
    ])
      assert.throws(() => rewrite(statement), /has no form for a cluster/, statement);
  });

  it('knows every statement of the schema', () => {
    for (const { name, statement } of SCHEMA)
      for (const rewritten of rewrite(statement)) assert.match(rewritten, /ON CLUSTER/, name);
  });
});

const SHARD: Shard = { replicas: 2, internalReplication: 1 };
const MACROS = ['replica', 'shard', 'other'];

describe('configuration of a cluster', () => {
  it('is complete with equal shards, internal replication and both macros', () => {
    assert.deepEqual(missingRequirements([SHARD, SHARD], MACROS, 'history'), []);
    const withoutReplicas = { replicas: 1, internalReplication: 0 };
    assert.deepEqual(missingRequirements([withoutReplicas], MACROS, 'history'), []);
  });

  it('has everything named that is missing', () => {
    const unequal = [SHARD, { replicas: 3, internalReplication: 0 }];
    assert.deepEqual(missingRequirements(unequal, ['shard'], 'history'), [
      'shards have different numbers of replicas: give each shard the same number',
      'a shard has no internal replication: set <internal_replication> to true',
      'the macro replica is missing: add it to <macros>',
    ]);
    assert.deepEqual(missingRequirements([], [], 'history'), [
      'the cluster history is unknown: add it to <remote_servers>',
      'the macro shard is missing: add it to <macros>',
      'the macro replica is missing: add it to <macros>',
    ]);
  });
});
