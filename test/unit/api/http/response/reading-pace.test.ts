import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { ReadingPace } from '../../../../../api/http/response/reading-pace.ts';

describe('the pace at which a client reads', () => {
  it('is 1 for a new response, and falls while nothing of it is read', async () => {
    const pace = new ReadingPace(40, () => 40);
    const first = pace.measure();
    assert.ok(first > 0.5 && first <= 1, `${first}`);
    await sleep(100);
    const second = pace.measure();
    assert.ok(second < 0.97 * first, `${second}`);
    await sleep(20);
    assert.ok(pace.measure() < second);
  });

  it('is greater for a client that reads than for one that does not', async () => {
    let left = 40;
    const [reads, waits] = [new ReadingPace(40, () => left), new ReadingPace(40, () => 40)];
    await sleep(100);
    left = 10;
    assert.ok(reads.measure() > waits.measure());
  });
});
