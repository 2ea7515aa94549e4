import assert from 'node:assert/strict';
import {
  entriesOf,
  formatAddress,
  parseAddress,
} from '../../../../../../api/explorer/assets/model/address.js';

const labels = (query: string, year = '2024') =>
  entriesOf(parseAddress(query), year).map(({ style, label, years }) => `${style} ${label} ${years}`);

describe('the address of a view', () => {
  it('is the same after it was written and read, and leaves out what is usual', () => {
    const query =
      '?q=%C3%85re+%26+co&station=CYYZ&span=month&day=2024-02-29&year=2023&report=CYYZ-202402290000-0123abcd&color=fog&time=local&units=f,ms&with=EGLL,KJFK';
    const address = parseAddress(query);
    assert.equal(formatAddress(address), `/${query}`);
    assert.equal(address.q, 'Åre & co');
    assert.equal(formatAddress(parseAddress('?station=CYYZ&span=week&color=temperature')), '/?station=CYYZ');
    assert.equal(formatAddress(parseAddress('')), '/');
  });

  it('reads nothing that is none of its values', () => {
    const wrong = '?station=cyy!&span=decade&day=2024-13-01&year=24&color=1&with=x,EGLL!&years=20x,&near=a,b';
    assert.equal(formatAddress(parseAddress(wrong)), '/');
    assert.equal(formatAddress(parseAddress('?day=2024-02-30')), '/');
  });

  it('takes codes of stations in small letters, and with spaces around them', () => {
    const address = parseAddress('?station=%20cyyz+&with=egll,Kjfk');
    assert.equal(formatAddress(address), '/?station=CYYZ&with=EGLL,KJFK');
  });

  it('compares four stations or years of one, each once, and never the shown one with itself', () => {
    assert.deepEqual(labels('?station=CYYZ&with=EGLL,CYYZ,EGLL,KJFK,CYUL,CYVR'), [
      'entry-0 CYYZ 0',
      'entry-1 EGLL 0',
      'entry-2 KJFK 0',
      'entry-3 CYUL 0',
    ]);
    assert.deepEqual(labels('?station=CYYZ&years=2012,2024,2030'), [
      'entry-0 2024 0',
      'entry-1 2012 -12',
      'entry-2 2030 6',
    ]);
    assert.deepEqual(labels('?station=CYYZ&with=EGLL&years=2012'), ['entry-0 CYYZ 0', 'entry-1 EGLL 0']);
  });
});
