import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { describe, it } from 'mocha';
import {
  endProcess,
  isRunning,
  memoryEnvironment,
  startTimeOf,
} from '../../../../clickhouse/embedded/engine-process.ts';

describe('the process of an engine', () => {
  const startTime = startTimeOf(process.pid) ?? assert.fail('this process runs');

  it('is named by pid and start time together', () => {
    assert.ok(isRunning({ pid: process.pid, startTime }));
    assert.ok(!isRunning({ pid: process.pid, startTime: `${startTime}0` }));
    assert.ok(!isRunning({ pid: 2 ** 22 + 1, startTime }));
  });

  it('is ended also when it is stopped, and no other process with its pid', async () => {
    const child = spawn('sleep', ['60']);
    await once(child, 'spawn');
    const engine = { pid: child.pid ?? 0, startTime: startTimeOf(child.pid ?? 0) ?? '' };
    await endProcess({ ...engine, startTime: '1' });
    assert.ok(isRunning(engine));
    child.kill('SIGSTOP');
    assert.ok(await endProcess(engine));
    assert.ok(!isRunning(engine));
  });

  it('takes half of the memory of the machine or container, and a tenth of that for files', () => {
    assert.deepEqual(memoryEnvironment(2 ** 31), {
      HISTORY_ENGINE_MEMORY: String(2 ** 30),
      HISTORY_ENGINE_CACHE: '107374182',
    });
    const bytes = Number(memoryEnvironment().HISTORY_ENGINE_MEMORY);
    assert.ok(bytes > 0 && bytes <= totalmem() / 2, `${bytes}`);
  });
});
