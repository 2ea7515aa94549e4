import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { missingRequirements, type Shard } from '../../../../clickhouse/cluster/shards.ts';

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
