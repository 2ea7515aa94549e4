import assert from 'node:assert/strict';
import { totalmem } from 'node:os';
import { memoryEnvironment } from '../../../../clickhouse/embedded/start.ts';

describe('the memory of an engine', () => {
  it('is half of that of the machine or container, and a tenth of that for files', () => {
    assert.deepEqual(memoryEnvironment(2 ** 30), {
      HISTORY_ENGINE_MEMORY: String(2 ** 30),
      HISTORY_ENGINE_CACHE: '107374182',
    });
    const bytes = Number(memoryEnvironment().HISTORY_ENGINE_MEMORY);
    assert.ok(bytes > 0 && bytes <= totalmem() / 2, `${bytes}`);
  });
});
