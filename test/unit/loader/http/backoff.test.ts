import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { backoffSeconds, retryAfterSeconds } from '../../../../loader/http/backoff.ts';

const now = new Date('2024-01-31T12:00:00Z');

describe('backing off', () => {
  it('doubles from the pace of the source up to 150 times that, or ten minutes', () => {
    assert.deepEqual(
      [1, 2, 3, 9, 100].map((failures) => backoffSeconds(failures, 2, 0)),
      [2, 4, 8, 300, 300],
    );
    assert.equal(backoffSeconds(100, 60, 0), 600);
  });

  it('adds up to half as much by chance, so that loaders do not come back together', () => {
    assert.equal(backoffSeconds(3, 2, 1), 12);
    for (let round = 0; round < 100; round += 1) {
      const seconds = backoffSeconds(3, 2);
      assert.ok(seconds >= 8 && seconds <= 12);
    }
  });

  it('waits a little even where the pace is none', () => {
    assert.equal(backoffSeconds(1, 0, 0), 0.1);
  });
});

describe('Retry-After (RFC 9110)', () => {
  it('is a number of seconds or a date', () => {
    assert.equal(retryAfterSeconds('120', now), 120);
    assert.equal(retryAfterSeconds('Wed, 31 Jan 2024 12:00:30 GMT', now), 30);
  });

  it('asks for no negative wait, and for an hour at most', () => {
    assert.equal(retryAfterSeconds('Wed, 31 Jan 2024 11:00:00 GMT', now), 0);
    assert.equal(retryAfterSeconds('999999', now), 3600);
  });

  it('says nothing where it is absent or cannot be read', () => {
    assert.equal(retryAfterSeconds(null, now), undefined);
    assert.equal(retryAfterSeconds('soon', now), undefined);
  });
});
