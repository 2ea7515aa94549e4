import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { CLIENT_TYPES, generateClientTypes } from '../../../support/documents/client-types.ts';

describe('types of the client', () => {
  it('are those of the OpenAPI document (otherwise run `npm run generate`)', async () => {
    const types = await generateClientTypes();
    assert.match(types, /temp_c\?: string;/);
    assert.equal(readFileSync(CLIENT_TYPES, 'utf8'), types);
  });
});
