import assert from 'node:assert/strict';
import { ClickHouseError } from '@clickhouse/client';
import { SnapshotError } from '../../../../clickhouse/snapshot/manifest.ts';
import { refuseUnreadable } from '../../../../loader/snapshot/import.ts';

describe('what ClickHouse says of a file of a snapshot', () => {
  for (const [code, isDamage] of [
    ['33', true], // CANNOT_READ_ALL_DATA
    ['117', true], // INCORRECT_DATA
    ['53', true], // TYPE_MISMATCH
    ['47', false], // UNKNOWN_IDENTIFIER
    ['62', false], // SYNTAX_ERROR
    ['243', false], // NOT_ENOUGH_SPACE
    ['497', false], // ACCESS_DENIED
    ['210', false], // NETWORK_ERROR
  ] as const)
    it(`${isDamage ? 'is damage' : 'is no damage'}: code ${code}`, async () => {
      const error = new ClickHouseError({ code, type: 'TYPE', message: 'message' });
      const refused = await refuseUnreadable('file', () => Promise.reject(error)).catch((e: unknown) => e);
      assert.equal(refused instanceof SnapshotError, isDamage);
      if (!isDamage) assert.equal(refused, error);
    });
});
