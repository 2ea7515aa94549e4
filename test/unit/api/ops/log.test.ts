import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { generateKey } from '../../../../api/auth/api-key.ts';
import { createLog, formatError } from '../../../../api/ops/log.ts';

function logging() {
  const lines: string[] = [];
  return { lines, log: createLog((line) => lines.push(line)) };
}

describe('the log', () => {
  it('is one line of JSON an event, whatever the event holds', () => {
    const { lines, log } = logging();
    log('info', 'request', { path: '/a\nb"', status: 200 });
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^[^\n]+\n$/);
    const { time, ...rest } = JSON.parse(lines[0] ?? '');
    assert.ok(!Number.isNaN(Date.parse(time)));
    assert.deepEqual(rest, { level: 'info', event: 'request', path: '/a\nb"', status: 200 });
  });

  it('never shows a key, wherever a client put it', () => {
    const { lines, log } = logging();
    const key = generateKey();
    log('info', 'request', { requestId: key, path: `/v1/${key}/x`, error: `Error: ${key}` });
    assert.ok(!lines.join('').includes(key.slice(0, 12)));
    assert.ok(JSON.parse(lines[0] ?? ''));
  });

  it('tells an error with its causes', () => {
    assert.match(
      formatError(new Error('above', { cause: new Error('below') })),
      /above[\s\S]*caused by Error: below/,
    );
    assert.equal(formatError('text'), 'text');
  });
});
