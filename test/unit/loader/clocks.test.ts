import assert from 'node:assert/strict';
import { compareClocks, responseTime } from '../../../loader/clocks.ts';

const at = (time: string) => new Date(`2026-11-${time}Z`);
const seconds = (time: string) => at(time).getTime() / 1000;
const compare = (own: string, other: string, until = own) =>
  compareClocks({ from: at(own), to: at(until) }, seconds(other), 'example.org');

describe('clocks (D70)', () => {
  it('may differ by five minutes', () => {
    compare('26T12:05:00', '26T12:00:00');
    compare('26T11:55:00', '26T12:00:00');
  });

  it('that differ by more are named, with the difference and both times', () => {
    assert.throws(
      () => compare('26T12:05:01', '16T12:00:00'),
      /^ClockError: The clock of this machine \(2026-11-26T12:05:01Z\) is 10 days ahead of that of example\.org \(2026-11-16T12:00:00Z\): correct the one that is wrong\./,
    );
    assert.throws(() => compare('26T11:54:59', '26T12:00:00'), /is 5 min behind that of example\.org/);
  });

  it('are compared with the whole time of a request, because some servers send the time at which it began', () => {
    compare('26T12:00:00', '26T12:00:00', '26T12:20:00');
    compare('26T12:00:00', '26T12:20:00', '26T12:20:00');
    assert.throws(() => compare('26T12:00:00', '26T12:26:00', '26T12:20:00'), /6 min behind/);
  });
});

describe('the time of a response', () => {
  const timeOf = (headers: Record<string, string>) => responseTime(new Headers(headers));
  const date = 'Thu, 26 Nov 2026 12:00:00 GMT';
  const noon = seconds('26T12:00:00');

  it('is its Date; a cache adds the age', () => {
    assert.deepEqual(timeOf({ date }), { madeAt: noon, sentAt: noon });
    assert.deepEqual(timeOf({ date, age: '3600' }), { madeAt: noon, sentAt: noon + 3600 });
    for (const age of ['-5', '1e9', 'old', '99999999999'])
      assert.deepEqual(timeOf({ date, age }), { madeAt: noon, sentAt: noon }, age);
  });

  it('is unknown without a date in the form of HTTP', () => {
    for (const wrong of ['', 'now', '2026-11-26T12:00:00Z', 'Thu Nov 26 12:00:00 2026', 'xxx GMT'])
      assert.equal(timeOf({ date: wrong }), undefined, wrong);
    assert.equal(timeOf({}), undefined);
  });
});
