import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { mintKey } from '../../../api/key.ts';
import { logTo, told } from '../../../api/log.ts';

function logging() {
  const lines: string[] = [];
  return { lines, log: logTo((line) => lines.push(line)) };
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
    const key = mintKey();
    log('info', 'request', { requestId: key, path: `/v1/${key}/x`, error: `Error: ${key}` });
    assert.ok(!lines.join('').includes(key.slice(0, 12)));
    assert.ok(JSON.parse(lines[0] ?? ''));
  });

  it('tells an error with its causes', () => {
    assert.match(
      told(new Error('above', { cause: new Error('below') })),
      /above[\s\S]*caused by Error: below/,
    );
    assert.equal(told('text'), 'text');
  });
});
