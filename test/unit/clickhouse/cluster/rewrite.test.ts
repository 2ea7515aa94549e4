import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { rewriteForCluster } from '../../../../clickhouse/cluster/rewrite.ts';
import { SCHEMA } from '../../../../clickhouse/schema.ts';

const LAYOUT = { cluster: 'history', database: 'weather', replication: 'on' } as const;
const PLAIN = { ...LAYOUT, replication: 'off' } as const;
const rewrite = (statement: string) => rewriteForCluster(statement, LAYOUT);

describe('rewrite for a cluster', () => {
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
      rewrite('CREATE MATERIALIZED VIEW IF NOT EXISTS v TO coverage AS SELECT a\nFROM observations\nWHERE a'),
      [
        'CREATE MATERIALIZED VIEW IF NOT EXISTS v ON CLUSTER history TO coverage AS SELECT a\nFROM observations_shard\nWHERE a',
      ],
    );
  });

  it('adds a column to the shards before the table over them', () => {
    assert.deepEqual(rewrite('ALTER TABLE observations\n    ADD COLUMN IF NOT EXISTS a String AFTER b'), [
      'ALTER TABLE observations_shard ON CLUSTER history ADD COLUMN IF NOT EXISTS a String AFTER b',
      'ALTER TABLE observations ON CLUSTER history ADD COLUMN IF NOT EXISTS a String AFTER b',
    ]);
    assert.deepEqual(rewrite('ALTER TABLE stations ADD COLUMN IF NOT EXISTS a String'), [
      'ALTER TABLE stations ADD COLUMN IF NOT EXISTS a String',
    ]);
  });

  it('deletes rows on every shard, and of any other table once', () => {
    assert.deepEqual(rewrite('ALTER TABLE observations DELETE WHERE a SETTINGS mutations_sync = 2'), [
      'ALTER TABLE observations_shard ON CLUSTER history DELETE WHERE a SETTINGS mutations_sync = 2',
    ]);
    assert.deepEqual(rewrite('ALTER TABLE slices DELETE WHERE a'), ['ALTER TABLE slices DELETE WHERE a']);
  });

  it('makes the database on every server', () => {
    assert.deepEqual(rewrite('CREATE DATABASE IF NOT EXISTS {database:Identifier}'), [
      'CREATE DATABASE IF NOT EXISTS {database:Identifier} ON CLUSTER history',
    ]);
  });

  it('ignores comments, but not a text that looks like one', () => {
    assert.deepEqual(
      rewrite("-- ENGINE = Null\nALTER TABLE stations ADD COLUMN IF NOT EXISTS a String COMMENT '-- b' -- c"),
      ["ALTER TABLE stations ADD COLUMN IF NOT EXISTS a String COMMENT '-- b'"],
    );
  });

  it('refuses a statement that it does not know', () => {
    for (const statement of [
      'TRUNCATE TABLE observations',
      'CREATE TABLE observations (a Int8) ENGINE = MergeTree ORDER BY a',
      'CREATE TABLE IF NOT EXISTS t (a Int8) ENGINE = Memory',
      'ALTER TABLE observations MODIFY COLUMN a String',
      'ALTER TABLE observations UPDATE a = 1 WHERE b',
      'ALTER TABLE slices DROP COLUMN a',
      'OPTIMIZE TABLE observations FINAL',
      '',
    ])
      assert.throws(() => rewrite(statement), /has no form for a cluster/, statement);
  });

  it('knows every statement of the schema', () => {
    for (const { name, statement } of SCHEMA)
      for (const layout of [LAYOUT, PLAIN])
        for (const rewritten of rewriteForCluster(statement, layout))
          assert.equal(
            /ON CLUSTER|Replicated|_window/.test(rewritten),
            layout === LAYOUT,
            `${name}: ${rewritten}`,
          );
  });

  it('changes only the table of the reports where there is no replication', () => {
    for (const { statement } of SCHEMA)
      for (const rewritten of rewriteForCluster(statement, PLAIN))
        if (!rewritten.includes('observations'))
          assert.equal(
            rewritten.replace(/\s+/g, ' '),
            statement.replace(/--.*/g, '').replace(/\s+/g, ' ').trim(),
          );
  });
});
