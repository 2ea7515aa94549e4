import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { formatState, parseState } from '../../../../../../api/explorer/assets/state/url-state.js';

const EMPTY = { q: '', country: '', station: '', year: '', from: '', to: '', type: 'all' };

describe('state in the address', () => {
  it('is the same after it was written and read', () => {
    const state = {
      q: 'Åre & co',
      country: 'SE',
      station: 'XAAA',
      year: '2024',
      from: '2024-01-01',
      to: '2024-01-08',
      type: 'speci',
    };
    assert.deepEqual(parseState(formatState(state)), state);
    assert.equal(formatState(EMPTY), '');
    assert.deepEqual(parseState(''), EMPTY);
  });

  it('drops what is not of the form of a value', () => {
    assert.deepEqual(
      parseState('#station=<b>&year=20245&from=1 May&to=2024-1-1&type=taf&country=se&key=secret'),
      EMPTY,
    );
  });
});
