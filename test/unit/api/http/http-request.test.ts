import assert from 'node:assert/strict';
import { toRequestId } from '../../../../api/http/headers.ts';
import { toOriginForm } from '../../../../api/http/http-request.ts';

describe('request target', () => {
  it('is reduced to path and query, also from the absolute form', () => {
    assert.equal(toOriginForm('/v1/x?a=b'), '/v1/x?a=b');
    assert.equal(toOriginForm('http://host:80/v1/x?a=b'), '/v1/x?a=b');
    assert.equal(toOriginForm('HTTPS://[::1]:80'), '/');
    assert.equal(toOriginForm('http://host?a=b'), '/?a=b');
    assert.equal(toOriginForm('*'), '/*');
    assert.equal(toOriginForm('//host/v1'), '//host/v1');
  });
});

describe('request id (D31)', () => {
  it("is the client's own where it is safe to log, else a new one", () => {
    assert.equal(toRequestId('Trace_1.2-3'), 'Trace_1.2-3');
    for (const sent of [undefined, '', 'a b', 'x'.repeat(65), 'é', '"', 'a,b']) {
      assert.notEqual(toRequestId(sent), sent);
      assert.match(toRequestId(sent), /^[0-9a-f-]{36}$/);
    }
  });
});
