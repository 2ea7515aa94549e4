import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ClickHouseException, describeFailure } from '../../../clickhouse/embedded/exception.ts';

describe('a failure as a ClickHouse server sends it', () => {
  it('says code, reason and name once where the library repeats them', () => {
    const error = new Error(
      'Code: 73. DB::Exception: Code: 73. DB::Exception: Unknown format FOO. (UNKNOWN_FORMAT) (version 26.7.2.1). (UNKNOWN_FORMAT)',
    );
    assert.deepEqual(describeFailure(error, '26.7.2.1'), {
      code: 73,
      status: 404,
      message: 'Code: 73. DB::Exception: Unknown format FOO. (UNKNOWN_FORMAT) (version 26.7.2.1)\n',
    });
  });

  it('keeps the line breaks and brackets of a reason', () => {
    const reason = 'Cannot parse input: expected (a) before: x\n: (at row 1)\n';
    const { message } = describeFailure(
      new Error(`Code: 27. DB::Exception: ${reason}. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)`),
      '26.7',
    );
    assert.equal(
      message,
      `Code: 27. DB::Exception: ${reason}. (CANNOT_PARSE_INPUT_ASSERTION_FAILED) (version 26.7)\n`,
    );
  });

  it('gives each refusal the status that a server gives it', () => {
    const status = (code: number, name: string) =>
      describeFailure(new ClickHouseException(code, name, 'no'), '1').status;
    assert.equal(status(62, 'SYNTAX_ERROR'), 400);
    assert.equal(status(516, 'AUTHENTICATION_FAILED'), 403);
    assert.equal(status(60, 'UNKNOWN_TABLE'), 404);
    assert.equal(status(159, 'TIMEOUT_EXCEEDED'), 408);
    assert.equal(status(48, 'NOT_IMPLEMENTED'), 501);
    assert.equal(status(241, 'MEMORY_LIMIT_EXCEEDED'), 500);
  });

  it('names a failure that did not come from ClickHouse', () => {
    const { code, status, message } = describeFailure(new TypeError('x is not a function'), '26.7');
    assert.equal(code, 1002);
    assert.equal(status, 500);
    assert.equal(
      message,
      'Code: 1002. DB::Exception: x is not a function. (UNKNOWN_EXCEPTION) (version 26.7)\n',
    );
  });
});
