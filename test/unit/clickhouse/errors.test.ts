import assert from 'node:assert/strict';
import { ClickHouseError } from '@clickhouse/client';
import { describe, it } from 'mocha';
import { isDiskFull } from '../../../clickhouse/errors.ts';

describe('a full disk', () => {
  const error = (code: string, message: string) => new ClickHouseError({ code, message, type: '' });

  it('is what ClickHouse says before and while it writes, and what Node says', () => {
    assert.ok(isDiskFull(error('243', 'Cannot reserve 3.36 MiB, not enough space.')));
    assert.ok(isDiskFull(error('75', 'Cannot write to file data.bin, errno: 28, No space left on device')));
    assert.ok(
      isDiskFull(new Error('did not start', { cause: new Error('ENOSPC: no space left on device') })),
    );
  });

  it('is no other error', () => {
    assert.ok(!isDiskFull(error('241', 'Memory limit exceeded')));
    assert.ok(!isDiskFull(error('497', 'Not enough privileges')));
    assert.ok(!isDiskFull('No space left on device'));
  });
});
