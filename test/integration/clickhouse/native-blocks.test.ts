import assert from 'node:assert/strict';
import { requireWhole } from '../../../clickhouse/answer.ts';
import { storageFailure } from '../../../clickhouse/errors.ts';
import { columnsOf } from '../../../clickhouse/native-blocks.ts';
import { useArchive } from '../../support/archive/archive.ts';

describe('results in the Native format', () => {
  const archive = useArchive();
  const read = (columns: string, rows = 3) => {
    const query = `SELECT ${columns} FROM numbers(${rows}) ORDER BY number SETTINGS max_block_size = 1000 FORMAT Native`;
    return archive.client.select({ query });
  };

  it('numbers are those of the engine', async () => {
    const firsts = { UInt8: 200, UInt16: 60_000, UInt32: 4_000_000_000, Float32: -1.5 };
    const columns = Object.entries(firsts).map(([type, n]) => `CAST(${n} + number, '${type}') AS ${type}_`);
    const found = columnsOf(await read([...columns, 'true AS Bool_'].join()));
    for (const [type, n] of Object.entries(firsts))
      assert.deepEqual([...(found[`${type}_`] ?? [])], [n, n + 1, n + 2]);
    assert.deepEqual([...(found.Bool_ ?? [])], [1, 1, 1]);
  });

  it('texts beside them, also long ones, and blocks one after another', async () => {
    const bytes = await read("repeat('a', number) AS text, toUInt16(number) AS n", 2500);
    const numbers = Array.from({ length: 2500 }, (_, n) => n);
    assert.ok(bytes.indexOf('text') < bytes.lastIndexOf('text'), 'more than one block');
    const { text = [], n = [] } = columnsOf(bytes);
    assert.deepEqual(
      [...text].map((each) => (each as string).length),
      numbers,
    );
    assert.deepEqual([...n], numbers);
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
    await assert.rejects(read('toInt64(number)'), /Numbers of the type Int64 cannot be read/);
  });
});
