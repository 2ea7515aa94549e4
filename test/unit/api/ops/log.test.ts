import assert from 'node:assert/strict';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { formatError, openLog } from '../../../../api/ops/log.ts';

function createTestLog() {
  const lines: string[] = [];
  return { lines, log: openLog({ write: (line) => lines.push(line) }) };
}

describe('log', () => {
  it('writes one line of JSON for each event', () => {
    const { lines, log } = createTestLog();
    log.info('request', { path: '/a\nb"', status: 200 });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^[^\n]+\n$/);
    const { time, ...rest } = JSON.parse(lines[0] ?? '');
    assert.ok(!Number.isNaN(Date.parse(time)));
    assert.deepEqual(rest, { level: 'info', event: 'request', path: '/a\nb"', status: 200 });
  });

  it('shows no key, in whichever field a client sends it', () => {
    const { lines, log } = createTestLog();
    const key = generateKey();
    log.info('request', { requestId: key, path: `/v1/${key}/x`, error: `Error: ${key}` });
    assert.ok(!lines.join('').includes(key.slice(0, 12)));
    assert.ok(JSON.parse(lines[0] ?? ''));
  });

  it('shows no key in any percent-encoded spelling', () => {
    const key = generateKey();
    const encode = (characters: RegExp, lowerCase = false) =>
      key.replaceAll(characters, (character) => {
        const hex = character.charCodeAt(0).toString(16);
        return `%${lowerCase ? hex : hex.toUpperCase()}`;
      });
    for (const spelling of [
      encode(/_/g),
      encode(/_/g, true),
      encode(/[hst]/g),
      encode(/[0-9a-z]/g),
      encode(/./g),
      encode(/./g, true),
      encode(/_/g).replaceAll('%', '%25'),
      encode(/./g).replaceAll('%', '%2525'),
    ]) {
      const { lines, log } = createTestLog();
      log.info('request', { path: `/v1/${spelling}/x` });
      assert.equal(JSON.parse(lines[0] ?? '').path, '/v1/hist_…/x', spelling);
    }
  });

  it('shows an error with its causes', () => {
    assert.match(
      formatError(new Error('outer', { cause: new Error('inner') })),
      /outer[\s\S]*caused by Error: inner/,
    );
    assert.equal(formatError('text'), 'text');
  });
});
