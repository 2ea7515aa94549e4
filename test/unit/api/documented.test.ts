import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { SETTINGS } from '../../../api/config.ts';
import { PARAMETERS } from '../../../api/filters.ts';

describe('the README', () => {
  it('names every setting and every parameter of the service', async () => {
    const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
    const names = [...Object.keys(SETTINGS), ...Object.keys(PARAMETERS)];
    assert.deepEqual(
      names.filter((name) => !new RegExp(`\`${name}\\b`).test(readme)),
      [],
    );
  });
});
