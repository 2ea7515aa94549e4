import assert from 'node:assert/strict';
import { checksumOf, isSameMigration, readMigrations } from '../../../clickhouse/released-migrations.ts';

/** A released statement never changes: append only. */
const RELEASED = {
  '001_create_observations.sql': '17655d8a246dc697fa3f22c017ca603a775965124345a49ee75818ef9883d1f9',
  '002_create_slices.sql': '54b594575b3150da034ef01444e07e3127bb726d3ac320e0f8d17b4110641861',
  '003_create_stations.sql': '768dfbf74913d04f15aaec00dd9d3550167d4937385991ed81d45027899e0c9b',
  '004_create_coverage.sql': '5980e036e00efdd31463706375bb8f4033f97aefdcd3f90ebd43b233a1d0b767',
  '005_feed_coverage_from_slices.sql': '2118dfefe5b3802cf6c3254f7fd98049d113391c739cef71043c161ea785afda',
  '006_feed_coverage_from_observations.sql':
    '6527f059816f9456cbfc22f16a48b89103ea3e87bbbbe648794e5083fb6b350c',
  '007_create_sightings.sql': '9d31346dada014441bdd5037c8dd78f50961a9ca39db387ff6ada7b503927a00',
  '008_feed_coverage_from_sightings.sql': '3a95e248071c7dbeabb9815afc8dd7fa6f4ad1279a82566085c91de1fb03a348',
  '009_add_wind_shear_and_convective_cloud.sql':
    '1f5d0f9e3e46f6c7af4559118b5905361ef98fa66b31efbec4ca38f50b249994',
  '010_create_station_descriptions.sql': '142b884c78df8d4ef1560ebbe6698be8273f2ff5dad4a78e5a44571649c2985a',
  '011_add_run_and_counts_to_slices.sql': '23b30d124d32622bce346a8330d8dcde90c1c9e03365f903c41c5b8eb6787e91',
  '012_add_ranks_to_station_descriptions.sql':
    'd5b8591788bdef98506384084116b2eb97588d47513c1f25d05cd0cdc1797677',
  '013_add_clouds_of_unknown_amount.sql': '8ce1d7bae5c6e20c0baf23b3633c73494ccafddf0c184835ea367ebb47a557bc',
  '014_add_time_zones_of_stations.sql': 'efc0fd6b429f0ff865a1b97d11b978f117afaa0876455db014ef243d208a5e14',
};

describe('released migrations', () => {
  it('have the statements that were released', async () => {
    const migrations = await readMigrations();
    assert.deepEqual(Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum])), RELEASED);
  });

  it('have the same checksum with other comments and other white space', () => {
    const statement = "CREATE TABLE t -- a\n(\n  a String COMMENT 'x -- y', /* b\n */ b UInt8\n)";
    assert.equal(
      checksumOf(statement),
      checksumOf("CREATE TABLE t ( a String COMMENT 'x -- y', b UInt8 )\n-- end"),
    );
  });

  it('have another checksum with another statement, also inside a text', () => {
    const statement = "SELECT 'a -- b', 'it\\'s -- c'";
    assert.notEqual(checksumOf(statement), checksumOf("SELECT 'a -- d', 'it\\'s -- c'"));
    assert.notEqual(checksumOf(statement), checksumOf("SELECT 'a -- b', 'it\\'s -- d'"));
  });

  it('accept the checksum with comments that the first release recorded, for its migrations alone', async () => {
    const [first, second] = await readMigrations();
    assert.ok(first !== undefined && second !== undefined);
    const recorded = 'e9a8936c302bdd29f808f9ae6858316dc9abde6bd0f9ca4b83fa38d67d87e416';
    assert.equal(isSameMigration(first, recorded), true);
    assert.equal(isSameMigration(second, recorded), false);
  });
});
