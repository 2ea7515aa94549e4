import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { decode } from '../../../../../loader/decode.ts';
import { demo } from '../../../../../loader/sources/demo/demo.ts';

const made = (station: string, firstDay: string, endDay: string) =>
  demo().generate({ source: 'demo', station, firstDay: firstDay as Day, endDay: endDay as Day }).rows;

describe('the demo source', () => {
  it('makes the same reports for ever', () => {
    assert.deepEqual(
      made('XAAC', '2024-07-01', '2024-07-02')
        .slice(2, 4)
        .map(({ text }) => text),
      [
        'METAR XAAC 010200Z AUTO 00000KT CAVOK M02/M11 Q1006 RMK SYNTHETIC',
        'SPECI XAAC 010203Z AUTO 00000KT CAVOK M02/M11 Q1006 RMK SYNTHETIC',
      ],
    );
    assert.equal(
      made('XZZZ', '2024-07-01', '2024-07-02')[0]?.text,
      'METAR XZZZ 010056Z AUTO 35009KT 10SM BKN078 13/07 A3018 RMK SYNTHETIC',
    );
  });

  it('makes the same report whatever range is asked for', () => {
    const year = made('XABC', '2023-01-01', '2024-01-01');
    const day = made('XABC', '2023-10-29', '2023-10-30');
    assert.deepEqual(
      year.filter(({ filedAt }) => day.some((report) => report.filedAt === filedAt)),
      day,
    );
  });

  it('calls every report synthetic, in order, each minute once, and readable', () => {
    const year = ['XAAA', 'XAAB', 'XAAD', 'XQRS'].map((station) => made(station, '2023-01-01', '2024-01-01'));
    for (const reports of year) {
      let last = 0;
      for (const { text, filedAt } of reports) {
        assert.match(text, / RMK SYNTHETIC$/);
        assert.ok(filedAt > last, text);
        assert.deepEqual(decode(text).unexplained, [], text);
        last = filedAt;
      }
      const specials = reports.filter(({ text }) => text.startsWith('SPECI')).length;
      assert.ok(specials > 300 && specials < 800, `${specials} SPECI in a year`);
    }
  });

  it('makes nothing of the time to come', () => {
    const year = new Date().getUTCFullYear();
    const reports = made('XAAA', `${year}-01-01`, `${year + 1}-01-01`);
    assert.ok((reports.at(-1)?.filedAt ?? 0) <= Date.now() / 1000);
  });
});
