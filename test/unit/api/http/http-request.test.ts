import assert from 'node:assert/strict';
import { toRequestId } from '../../../../api/http/headers.ts';
import { toOriginForm } from '../../../../api/http/http-request.ts';
import { parseTraceparent } from '../../../../api/http/request-log.ts';

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

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('parseTraceparent', () => {
  it('reads version 00', () =>
    assert.deepEqual(parseTraceparent(`00-${TRACE}-${PARENT}-01`), {
      traceId: TRACE,
      text: `00-${TRACE}-${PARENT}-01`,
    }));

  it('reads the known fields of a later version', () =>
    assert.equal(parseTraceparent(`cc-${TRACE}-${PARENT}-01-more`)?.text, `00-${TRACE}-${PARENT}-01`));

  for (const [fault, header] of [
    ['nothing', ''],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
    ['a short id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['further fields in version 00', `00-${TRACE}-${PARENT}-01-more`],
    ['characters after the flags', `cc-${TRACE}-${PARENT}-01more`],
    ['two headers', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
  ])
    it(`ignores ${fault}`, () => assert.equal(parseTraceparent(header ?? ''), undefined));
});
