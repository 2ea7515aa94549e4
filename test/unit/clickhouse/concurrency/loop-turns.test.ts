import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { LoopTurns } from '../../../../clickhouse/concurrency/loop-turns.ts';

describe('turns of the event loop', () => {
  it('come between two pieces of work, which begin in the order in which they came', async () => {
    const turns = new LoopTurns();
    const events: string[] = [];
    const work = (name: string) => void turns.take().then(() => events.push(name));
    for (const name of ['a', 'b', 'c']) work(name);
    while (!events.includes('c')) {
      await turn();
      events.push('turn');
    }
    assert.match(events.join(), /^a,turn,turn,b(,turn){3},c/);
  });

  it('do not delay work that comes when none has begun for some turns', async () => {
    const turns = new LoopTurns();
    await turns.take();
    for (let n = 0; n < 4; n += 1) await turn();
    let hasBegun = false;
    void turns.take().then(() => {
      hasBegun = true;
    });
    await Promise.resolve();
    assert.ok(hasBegun);
  });
});
