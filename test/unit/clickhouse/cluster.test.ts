import assert from 'node:assert/strict';
import type { Archive } from '../../../clickhouse/archive.ts';
import { missingRequirements, type Shard, withLayout, writeFor } from '../../../clickhouse/cluster.ts';
import { deleteRows } from '../../../clickhouse/observations/maintenance.ts';
import { SCHEMA } from '../../../clickhouse/schema.ts';
import { withoutComments } from '../../../clickhouse/statements/sql.ts';

const PLACE = { cluster: 'history', database: 'weather' };
const inCluster = (statement: string) => writeFor(PLACE, statement);
const onOneServer = (statement: string) => writeFor(undefined, statement);

describe('a statement for one server or a cluster', () => {
  it('makes a table of reports on each shard, and one over all of them', () => {
    const statement =
      'CREATE TABLE IF NOT EXISTS observations$SHARD$ON_ALL (a Int8)\nENGINE = $SHARDED(ReplacingMergeTree, version)\nORDER BY a\nSETTINGS b = 1\n    $MORE_SETTINGS';
    assert.equal(
      inCluster(statement),
      "CREATE TABLE IF NOT EXISTS observations_shard ON CLUSTER history (a Int8)\nENGINE = ReplicatedReplacingMergeTree('/clickhouse/history/{shard}/{database}/{table}', '{replica}', version)\nORDER BY a\nSETTINGS b = 1\n    , replicated_deduplication_window = 0",
    );
    assert.equal(
      onOneServer(statement),
      'CREATE TABLE IF NOT EXISTS observations (a Int8)\nENGINE = ReplacingMergeTree(version)\nORDER BY a\nSETTINGS b = 1',
    );
    assert.equal(
      inCluster('$DISTRIBUTED(observations)'),
      "CREATE TABLE IF NOT EXISTS observations ON CLUSTER history AS observations_shard\nENGINE = Distributed('history', 'weather', 'observations_shard', cityHash64(station))",
    );
    assert.equal(onOneServer('$DISTRIBUTED(observations)'), '');
  });

  it('makes every other table once, with a replica on every server', () => {
    const statement =
      'CREATE TABLE IF NOT EXISTS loads$ON_ALL (a Int8) ENGINE = $REPLICATED(MergeTree) ORDER BY a $SETTINGS';
    assert.equal(
      inCluster(statement),
      "CREATE TABLE IF NOT EXISTS loads ON CLUSTER history (a Int8) ENGINE = ReplicatedMergeTree('/clickhouse/history/all/{database}/{table}', '{shard}-{replica}') ORDER BY a SETTINGS replicated_deduplication_window = 0",
    );
    assert.equal(
      onOneServer(statement),
      'CREATE TABLE IF NOT EXISTS loads (a Int8) ENGINE = MergeTree ORDER BY a',
    );
  });

  it('is refused with a name that no layout knows', () => {
    for (const place of [PLACE, undefined])
      assert.throws(() => writeFor(place, 'ALTER TABLE a$SHARDS DELETE WHERE b'), /knows \$SHARDS/);
  });

  it('is every statement of the schema', () => {
    for (const { name, statement } of SCHEMA) {
      const [clustered, single] = [inCluster(statement), onOneServer(statement)].map(withoutComments);
      assert.match(clustered ?? '', / ON CLUSTER history\b/, name);
      assert.doesNotMatch(single ?? '', /ON CLUSTER|_shard|Replicated|Distributed|deduplication/, name);
      assert.doesNotMatch(`${clustered}${single}`, /\$[A-Z]/, name);
      const isStored = /ENGINE = \w*MergeTree/.test(clustered ?? '');
      if (isStored)
        assert.match(
          clustered ?? '',
          /ENGINE = Replicated\w+\([\s\S]*replicated_deduplication_window = 0/,
          name,
        );
    }
  });

  it('feeds a view from the reports of its own shard', () => {
    const view = SCHEMA.find(({ name }) => name === 'coverage_from_observations')?.statement ?? '';
    assert.match(inCluster(view), /FROM station_observations_shard\n/);
    assert.match(onOneServer(view), /FROM station_observations\n/);
  });
});

describe('an archive with a layout', () => {
  const sent: string[] = [];
  const archive = {
    command: async ({ query }: { readonly query: string }) => void sent.push(query),
  } as unknown as Archive;

  it('sends no statement that has nothing to do', async () => {
    sent.length = 0;
    await withLayout(archive, undefined).command({ query: '-- In a cluster.\n$DISTRIBUTED(observations)' });
    assert.deepEqual(sent, []);
  });

  it('deletes rows of reports on every shard, and those of any other table once', async () => {
    for (const [place, table, expected] of [
      [PLACE, 'observations', /^ALTER TABLE observations_shard ON CLUSTER history\n\s+DELETE WHERE a/],
      [PLACE, 'slices', /^ALTER TABLE slices\n\s+DELETE WHERE a/],
      [undefined, 'observations', /^ALTER TABLE observations\n\s+DELETE WHERE a/],
    ] as const) {
      sent.length = 0;
      await deleteRows(withLayout(archive, place), table, 'a', {});
      assert.equal(sent.length, 1);
      assert.match(sent[0] ?? '', expected);
    }
  });

  it('ignores comments, but not a text that looks like one', async () => {
    sent.length = 0;
    const query = "-- ENGINE = Null\nALTER TABLE slices DELETE WHERE a = '-- b' -- c";
    await withLayout(archive, PLACE).command({ query });
    assert.deepEqual(sent, ["ALTER TABLE slices DELETE WHERE a = '-- b'"]);
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
