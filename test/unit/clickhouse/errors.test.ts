import assert from 'node:assert/strict';
import { ClickHouseError } from '@clickhouse/client';
import { isDamagedPart, isOtherServerUnavailable, storageFailure } from '../../../clickhouse/errors.ts';

const failure = (code: string, message = 'text') =>
  storageFailure(new ClickHouseError({ code, type: 'TYPE', message }));

describe('failures of the storage', () => {
  it('are unavailable where a table, a shard, a replica, a quorum or Keeper is missing', () => {
    for (const code of ['60', '225', '242', '279', '285', '286', '289', '319', '369', '519', '999'])
      assert.equal(failure(code), 'unavailable', code);
  });

  it('are overloaded where parts wait to be merged, and our own fault where a result is too large', () => {
    assert.equal(failure('252'), 'overloaded');
    assert.equal(failure('396'), 'unknown');
  });

  it('are unavailable where a response of another server was cut short, and not where a file is', () => {
    for (const code of ['32', '33']) {
      const message =
        'Attempt to read after eof: while receiving packet from 10.0.0.1:9000: While executing Remote.';
      assert.equal(failure(code, message), 'unavailable');
      assert.equal(failure(code, 'Cannot read all data: (while reading column raw)'), 'unknown');
    }
  });

  it('are of another server only where the one that was asked answered', () => {
    assert.equal(
      isOtherServerUnavailable(new ClickHouseError({ code: '279', type: 'T', message: '' })),
      true,
    );
    assert.equal(
      isOtherServerUnavailable(new ClickHouseError({ code: '159', type: 'T', message: '' })),
      false,
    );
    assert.equal(isOtherServerUnavailable(Object.assign(new Error(), { code: 'ECONNREFUSED' })), false);
  });

  it('are a damaged part where a bit of one of its files is wrong, and not where a file that was sent is', () => {
    const part =
      '(while reading from part /data/clickhouse/store/5b6/5b61ee9e/2024_2_2_0/ in table history.observations';
    const isDamaged = (code: string, message: string) =>
      isDamagedPart(new ClickHouseError({ code, type: 'TYPE', message }));
    assert.equal(failure('40', `Checksum does not match: corrupted data. ${part}`), 'unavailable');
    const damage = new ClickHouseError({
      code: '40',
      type: 'TYPE',
      message: `Checksum does not match. ${part}`,
    });
    assert.ok(!isOtherServerUnavailable(damage), 'the server that was asked is damaged itself');
    assert.ok(isDamaged('40', `Checksum does not match: corrupted data. ${part}`));
    assert.ok(isDamaged('117', 'Data of column n is shorter: While reading part all_1_1_0: While executing'));
    assert.ok(isDamaged('241', `would use 128.00 PiB (attempt to allocate chunk of 128.00 PiB) ${part}`));
    assert.ok(!isDamaged('241', `would use 3.80 GiB (attempt to allocate chunk of 4.00 MiB) ${part}`));
    assert.ok(!isDamaged('159', `Timeout exceeded ${part}`));
    assert.ok(!isDamaged('33', 'Cannot read all data: (in file/uri snapshot_file)'));
    assert.ok(!isDamaged('33', `${part}: while receiving packet from 10.0.0.1:9000`));
  });
});
