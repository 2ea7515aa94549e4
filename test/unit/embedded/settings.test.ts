import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Request } from '../../../clickhouse/embedded/request.ts';
import { preamble, restore } from '../../../clickhouse/embedded/settings.ts';

const plain: Request = {
  query: '',
  database: undefined,
  format: undefined,
  roles: [],
  session: undefined,
  settings: new Map(),
  parameters: new Map(),
  wholeBeforeHeaders: false,
  readOnly: false,
};

describe('what is set on a connection before a statement', () => {
  it('quotes whatever a caller sends', () => {
    const request = {
      ...plain,
      database: 'a`b\\',
      settings: new Map([['max_threads', "1'; DROP TABLE t"]]),
      parameters: new Map([['x', 'back\\slash\0']]),
    };
    assert.equal(
      preamble(request, 'q'),
      "USE `a\\`b\\\\`; SET log_comment = 'q', max_threads = '1\\'; DROP TABLE t', param_x = 'back\\\\slash\\0'",
    );
  });

  it('refuses a setting whose name is none', () => {
    const request = { ...plain, settings: new Map([['a = 1, b', '2']]) };
    assert.throws(() => preamble(request, 'q'), /Code: 115.*UNKNOWN_SETTING/);
  });

  it("leaves a caller's own comment alone", () => {
    const request = { ...plain, settings: new Map([['log_comment', 'mine']]) };
    assert.equal(preamble(request, 'q'), "SET log_comment = 'mine'");
  });

  it('is taken back by name', () => {
    const request = { ...plain, settings: new Map([['max_threads', '1']]) };
    assert.equal(restore(request), 'SET log_comment = DEFAULT, max_threads = DEFAULT');
  });
});
