import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'mocha';
import { endProcess, isRunning, startTimeOf } from '../../../../clickhouse/embedded/engine-process.ts';

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
});
