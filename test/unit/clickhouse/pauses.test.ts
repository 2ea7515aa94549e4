import assert from 'node:assert/strict';
import { Pauses } from '../../../clickhouse/pauses.ts';

/** Steps until a pause is due. */
function stepsOf(pauses: Pauses): number {
  let steps = 1;
  while (!pauses.isDue) steps += 1;
  return steps;
}

describe('pauses in the work for a request', () => {
  it('they are due again and again', async () => {
    const pauses = new Pauses();
    const begun = performance.now();
    for (let n = 0; n < 3; n += 1) {
      assert.ok(stepsOf(pauses) > 1);
      await pauses.take();
    }
    assert.ok(performance.now() - begun >= 30);
  });

  it('a pause ends work that is no longer wanted', async () => {
    const gone = new AbortController();
    const pauses = new Pauses(gone.signal);
    await pauses.take();
    gone.abort(new Error('The client has gone'));
    await assert.rejects(pauses.take(), /The client has gone/);
  });
});
