import assert from 'node:assert/strict';
import { ClickHouseError } from '@clickhouse/client';
import { readNewestPartCodec } from '../../../clickhouse/compression.ts';
import { emptyArchive, NO_LIMIT } from '../../support/archive.ts';

describe('how parts are compressed', () => {
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  before(async () => {
    archive = await emptyArchive();
  });
  after(() => archive.close());

  const fill = (reports: number, length: number) =>
    archive.client.command({
      query: `
        INSERT INTO observations (observedAt, station, type, fingerprint, version, source, raw, clean, decoder)
        SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 60, 'XAAA', 'METAR', cityHash64(number), 1, 'demo',
          concat(hex(sipHash128(number)), repeat('x', ${length})), 1, 1
        FROM numbers(${reports})`,
    });
  /** Of the table's only part and of the projection in it. */
  const codecs = async () => {
    const result = await archive.client.query({
      query: `
        SELECT part.default_compression_codec AS table, projection.default_compression_codec AS projection
        FROM system.projection_parts AS projection
        JOIN system.parts AS part ON part.name = projection.parent_name
        WHERE part.active AND part.database = currentDatabase() AND part.table = 'observations'
          AND projection.active AND projection.database = currentDatabase() AND projection.table = 'observations'`,
      format: 'JSONEachRow',
    });
    return result.json<{ table: string; projection: string }>();
  };

  it('an insert in a hurry, with its projection, and a merge well', async () => {
    await fill(50_000, 0);
    assert.deepEqual(await codecs(), [{ table: 'ZSTD(3)', projection: 'ZSTD(3)' }]);
    assert.equal(await readNewestPartCodec(archive.client, NO_LIMIT), 'ZSTD(3)');
    await archive.client.command({ query: 'OPTIMIZE TABLE observations FINAL' });
    const [merged] = await codecs();
    assert.equal(merged?.table, 'ZSTD(6)');
  });

  it('the projection of a merge well too, where there is more than a block of it', async () => {
    await archive.client.command({ query: 'TRUNCATE TABLE observations' });
    await fill(150_000, 2_000);
    await archive.client.command({ query: 'OPTIMIZE TABLE observations FINAL' });
    assert.deepEqual(await codecs(), [{ table: 'ZSTD(6)', projection: 'ZSTD(6)' }]);
  });

  it('is not told to a user who may not see parts', async () => {
    const denied = new ClickHouseError({
      code: '497',
      type: 'ACCESS_DENIED',
      message: 'Not enough privileges',
    });
    const client = Object.assign(Object.create(archive.client), { query: () => Promise.reject(denied) });
    assert.equal(await readNewestPartCodec(client, NO_LIMIT), undefined);
  });
});
