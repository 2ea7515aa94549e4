import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { requestIdOf } from '../../../../api/http/headers.ts';
import { originForm } from '../../../../api/http/http-request.ts';

describe('the request line', () => {
  it('is brought to path and query, also from the absolute form', () => {
    assert.equal(originForm('/v1/x?a=b'), '/v1/x?a=b');
    assert.equal(originForm('http://host:80/v1/x?a=b'), '/v1/x?a=b');
    assert.equal(originForm('HTTPS://[::1]:80'), '/');
    assert.equal(originForm('http://host?a=b'), '/?a=b');
    assert.equal(originForm('*'), '/*');
    assert.equal(originForm('//host/v1'), '//host/v1');
  });
});

describe('the request id (D31)', () => {
  it("is the caller's own where it is harmless, else a new one", () => {
    assert.equal(requestIdOf('Trace_1.2-3'), 'Trace_1.2-3');
    for (const sent of [undefined, '', 'a b', 'x'.repeat(65), 'é', '"', 'a,b']) {
      assert.notEqual(requestIdOf(sent), sent);
      assert.match(requestIdOf(sent), /^[0-9a-f-]{36}$/);
    }
  });
});
