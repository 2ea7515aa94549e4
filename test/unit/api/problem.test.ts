import assert from 'node:assert/strict';
import { Problem, problemBody, retryAfter, toProblem } from '../../../api/problem.ts';

describe('problem', () => {
  it('has the fields of RFC 9457 and D24', () => {
    const problem = new Problem('invalid_parameter', 'limit is wrong.', {
      errors: [{ parameter: 'limit', detail: 'is wrong' }],
    });
    assert.deepEqual(JSON.parse(problemBody(problem, 'r-1')), {
      type: '/docs/errors/invalid_parameter',
      title: 'Invalid parameter',
      status: 400,
      detail: 'limit is wrong.',
      code: 'invalid_parameter',
      requestId: 'r-1',
      errors: [{ parameter: 'limit', detail: 'is wrong' }],
    });
  });

  it('shows nothing of a defect but the request id', () => {
    const problem = toProblem(new TypeError('password is hunter2'));
    assert.equal(problem.status, 500);
    assert.doesNotMatch(problemBody(problem, 'r-1'), /hunter2|TypeError/);
    assert.ok(problem.cause instanceof TypeError);
  });

  it('rounds Retry-After up to whole seconds, at least 1', () => {
    const seconds = [-2, 0, 1, 1000, 1001, 4500].map(
      (milliseconds) => retryAfter(milliseconds)['Retry-After'],
    );
    assert.deepEqual(seconds, ['1', '1', '1', '1', '2', '5']);
  });
});
