import assert from 'node:assert/strict';
import {
  entriesOf,
  formatAddress,
  parseAddress,
  viewOf,
} from '../../../../../../api/explorer/assets/model/address.ts';

const labels = (query: string, year = '2024') =>
  entriesOf(parseAddress(query), year).map(({ style, label, years }) => `${style} ${label} ${years}`);

describe('the address of a view', () => {
  it('is the same after it was written and read, and leaves out what is usual', () => {
    const query =
      '?q=%C3%85re+%26+co&station=CYYZ&span=month&day=2024-02-29&days=12&year=2023&report=CYYZ-202402290000-0123abcd&color=fog&time=local&runway=04&units=f,ms&with=EGLL,KJFK';
    const address = parseAddress(query);
    assert.equal(formatAddress(address), `/${query}`);
    assert.equal(address.q, 'Åre & co');
    assert.equal(formatAddress(parseAddress('?station=CYYZ&span=week&color=temperature')), '/?station=CYYZ');
    assert.equal(formatAddress(parseAddress('')), '/');
  });

  it('reads nothing that is none of its values', () => {
    const wrong =
      '?station=cyy!&span=decade&days=0&runway=19&day=2024-13-01&year=24&color=1&with=x,EGLL!&years=20x,&near=a,b';
    assert.equal(formatAddress(parseAddress(wrong)), '/');
    assert.equal(formatAddress(parseAddress('?day=2024-02-30')), '/');
  });

  it('shows the selected days, and draws as many days as the spans do', () => {
    const station = {
      station: 'CYYZ',
      firstReport: '2020-03-01T00:00:00Z',
      lastReport: '2024-12-25T12:00:00Z',
    };
    for (const [query, shown] of [
      ['', 'week 2024-12-19 2024-12-26 1'],
      ['&day=2024-02-29&days=3', 'week 2024-02-27 2024-03-01 1'],
      ['&day=2024-02-29&days=1', 'day 2024-02-29 2024-03-01 1'],
      ['&span=year&day=2024-03-10&days=45', 'year 2024-01-26 2024-03-11 0'],
      ['&span=all&day=2023-12-31&days=730', 'all 2022-01-01 2024-01-01 0'],
    ]) {
      const { span, period, asks } = viewOf(parseAddress(`?station=CYYZ${query}`), station);
      assert.equal([span, period.from, period.to, asks.length].join(' '), shown);
    }
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
