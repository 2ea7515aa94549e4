import assert from 'node:assert/strict';
import {
  backoffSeconds,
  MAX_PROBES,
  METADATA_ATTEMPTS,
  probePauseSeconds,
  REQUEST_ATTEMPTS,
  retryAfterSeconds,
  STORAGE_ATTEMPTS,
  STORAGE_PAUSE_SECONDS,
} from '../../../../loader/http/retry-policy.ts';

const now = new Date('2024-01-31T12:00:00Z');
const sum = (times: number, seconds: (at: number) => number) =>
  Array.from({ length: times }, (_, at) => seconds(at)).reduce((total, each) => total + each, 0);

describe('backoff', () => {
  it('doubles from the interval of the source up to 150 intervals or ten minutes', () => {
    assert.deepEqual(
      [1, 2, 3, 9, 100].map((failures) => backoffSeconds(failures, 2, 0)),
      [2, 4, 8, 300, 300],
    );
    assert.equal(backoffSeconds(100, 60, 0), 600);
  });

  it('adds up to half as much at random', () => {
    assert.equal(backoffSeconds(3, 2, 1), 12);
    for (let round = 0; round < 100; round += 1) {
      const seconds = backoffSeconds(3, 2);
      assert.ok(seconds >= 8 && seconds <= 12, `${seconds} s`);
    }
  });

  it('waits 0.1 s at an interval of 0', () => {
    assert.equal(backoffSeconds(1, 0, 0), 0.1);
  });
});

describe('Retry-After header (RFC 9110)', () => {
  it('accepts a number of seconds and a date', () => {
    assert.equal(retryAfterSeconds('120', now), 120);
    assert.equal(retryAfterSeconds('Wed, 31 Jan 2024 12:00:30 GMT', now), 30);
  });

  it('is never negative and at most one hour', () => {
    assert.equal(retryAfterSeconds('Wed, 31 Jan 2024 11:00:00 GMT', now), 0);
    assert.equal(retryAfterSeconds('999999', now), 3600);
  });

  it('is undefined where it is absent or unreadable', () => {
    assert.equal(retryAfterSeconds(null, now), undefined);
    assert.equal(retryAfterSeconds('soon', now), undefined);
  });
});

describe('worst cases of the retry policy', () => {
  const minutes = (seconds: number) => (seconds / 60).toFixed(1);
  const outageHours = (interval: number) =>
    (sum(MAX_PROBES, (probes) => probePauseSeconds(probes, interval)) / 3600).toFixed(1);

  it('wait 381 s for a request and 9 s for a period of record at an interval of 2 s', () => {
    assert.equal(
      sum(REQUEST_ATTEMPTS - 1, (at) => backoffSeconds(at + 1, 2, 1)),
      381,
    );
    assert.equal(
      sum(METADATA_ATTEMPTS - 1, (at) => backoffSeconds(at + 1, 2, 1)),
      9,
    );
  });

  it('wait 5.1 minutes for ClickHouse', () => {
    const pause = (at: number) => backoffSeconds(at + 1, STORAGE_PAUSE_SECONDS, 1);
    assert.equal(minutes(sum(STORAGE_ATTEMPTS - 1, pause)), '5.1');
  });

  it('wait for an unavailable source 27.3 hours at 2 s, 54.5 hours at 60 s and 3.4 hours at 0.25 s', () => {
    assert.deepEqual([2, 60, 0.25].map(outageHours), ['27.3', '54.5', '3.4']);
    assert.equal(minutes(sum(MAX_PROBES, (probes) => probePauseSeconds(probes, 0))), '5.5');
  });
});
