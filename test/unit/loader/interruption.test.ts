import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { interruptOnSignals } from '../../../loader/interruption.ts';

function start() {
  const signals = new EventEmitter();
  const said: string[] = [];
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const schedule = (end: () => void, ms: number) => pauses.push({ ms, end });
  return { signals, said, pauses, stop: interruptOnSignals((line) => said.push(line), signals, schedule) };
}

describe('interruption by signals', () => {
  it('finishes the slices after SIGINT, and stops now after the second one', () => {
    const { signals, said, pauses, stop } = start();
    signals.emit('SIGINT');
    assert.deepEqual([stop.afterSlice.aborted, stop.now.aborted, pauses.length], [true, false, 0]);
    signals.emit('SIGINT');
    assert.equal(stop.now.aborted, true);
    assert.deepEqual(said, ['Finishing current slices; press Ctrl-C again to abort.']);
  });

  it('stops three seconds after SIGTERM, and at once after the second one', () => {
    const { signals, said, pauses, stop } = start();
    signals.emit('SIGTERM');
    assert.deepEqual([stop.afterSlice.aborted, stop.now.aborted], [true, false]);
    assert.deepEqual(
      pauses.map(({ ms }) => ms),
      [3000],
    );
    pauses[0]?.end();
    assert.equal(stop.now.aborted, true);
    assert.deepEqual(said, ['Finishing current slices for at most 3 s.']);
    const twice = start();
    twice.signals.emit('SIGTERM');
    twice.signals.emit('SIGTERM');
    assert.equal(twice.stop.now.aborted, true);
  });
});
