import assert from 'node:assert/strict';
import { requireWhole } from '../../../clickhouse/answer.ts';
import { storageFailure } from '../../../clickhouse/errors.ts';
import { blocksOf } from '../../../clickhouse/native-blocks.ts';
import { useArchive } from '../../support/archive/archive.ts';

describe('results in the Native format', () => {
  const archive = useArchive();
  const blocks = async (columns: string, rows = 3) => {
    const query = `SELECT ${columns} FROM numbers(${rows}) ORDER BY number SETTINGS max_block_size = 1000 FORMAT Native`;
    return [...blocksOf(await archive.client.select({ query }))];
  };

  it('numbers are those of the engine, and NULL is told apart', async () => {
    const types = {
      UInt8: [200, 201, 202],
      UInt16: [60_000, 60_001, 60_002],
      UInt32: [4_000_000_000, 4_000_000_001, 4_000_000_002],
      Float32: [-1.5, -0.5, 0.5],
      Bool: [1, 1, 1],
    };
    const columns = Object.entries(types).map(
      ([type, [first]]) => `CAST(${type === 'Bool' ? true : `${first} + number`}, '${type}') AS ${type}_`,
    );
    const [block] = await blocks(
      [...columns, "CAST(if(number = 1, NULL, -1.25), 'Nullable(Decimal(9, 2))') AS hundredths"].join(', '),
    );
    assert.equal(block?.rows, 3);
    for (const [type, values] of Object.entries(types)) {
      const column = block.numbers.get(`${type}_`);
      assert.deepEqual([...(column?.values ?? [])], values);
      assert.deepEqual([...(column?.isNull ?? [])], [0, 0, 0]);
    }
    const { isNull, values } = block.numbers.get('hundredths') ?? assert.fail();
    assert.deepEqual([...isNull], [0, 1, 0]);
    assert.deepEqual([values[0], values[2]], [-125, -125]);
  });

  it('texts beside them, also long ones, and blocks one after another', async () => {
    const all = await blocks("repeat('a', number) AS text, toUInt16(number) AS n", 2500);
    assert.ok(all.length > 1);
    const lengths = all.flatMap(({ texts }) => (texts.get('text') ?? []).map(({ length }) => length));
    assert.deepEqual(
      lengths,
      Array.from({ length: 2500 }, (_, n) => n),
    );
    assert.deepEqual(
      all.flatMap(({ numbers }) => [...(numbers.get('n')?.values ?? [])]),
      lengths,
    );
  });

  it('are refused where their end is missing, within a block and between two', async () => {
    const query = "SELECT repeat('a', number) AS text, toUInt32(number) AS n FROM numbers(250)";
    const bytes = await archive.client.select({
      query: `${query} SETTINGS max_block_size = 100 FORMAT Native`,
    });
    const headers = { 'x-clickhouse-format': 'Native', 'x-clickhouse-summary': '{"result_rows":"250"}' };
    assert.equal(requireWhole(headers, bytes), bytes);
    const reasons = new Set<string>();
    for (let length = 0; length < bytes.length; length += 1)
      try {
        assert.fail(`${requireWhole(headers, bytes.subarray(0, length)).length} bytes are accepted`);
      } catch (error) {
        assert.equal(storageFailure(error), 'unavailable', String(error));
        reasons.add((error as Error).message);
      }
    assert.equal(reasons.size, 2);
  });

  it('another type is refused', async () => {
    await assert.rejects(blocks('toInt64(number)'), /Numbers of the type Int64 cannot be read/);
  });
});
