import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { decode } from '../../../../../loader/decode.ts';
import { demo } from '../../../../../loader/sources/demo/demo.ts';

const generate = (station: string, firstDay: string, endDay: string) =>
  demo().generate({ source: 'demo', station, firstDay: firstDay as Day, endDay: endDay as Day }).rows;

describe('demo source', () => {
  it('generates these reports in every version', () => {
    assert.deepEqual(
      generate('XAAC', '2024-07-01', '2024-07-02')
        .slice(2, 4)
        .map(({ text }) => text),
      [
        'METAR XAAC 010200Z AUTO 00000KT CAVOK M02/M11 Q1006 RMK SYNTHETIC',
        'SPECI XAAC 010203Z AUTO 00000KT CAVOK M02/M11 Q1006 RMK SYNTHETIC',
      ],
    );
    assert.equal(
      generate('XZZZ', '2024-07-01', '2024-07-02')[0]?.text,
      'METAR XZZZ 010056Z AUTO 35009KT 10SM BKN078 13/07 A3018 RMK SYNTHETIC',
    );
  });

  it('generates the same report for every requested range', () => {
    const year = generate('XABC', '2023-01-01', '2024-01-01');
    const day = generate('XABC', '2023-10-29', '2023-10-30');
    assert.deepEqual(
      year.filter(({ filedAt }) => day.some((report) => report.filedAt === filedAt)),
      day,
    );
  });

  it('marks every report SYNTHETIC, in order, one a minute, and the decoder reads each', () => {
    const year = ['XAAA', 'XAAB', 'XAAD', 'XQRS'].map((station) =>
      generate(station, '2023-01-01', '2024-01-01'),
    );
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

  it('generates no report of a future minute', () => {
    const dayAt = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
    const now = Date.now() / 1000;
    const reports = generate('XAAA', dayAt(now - 86_400), dayAt(now + 2 * 86_400));
    const last = reports.at(-1)?.filedAt ?? 0;
    assert.ok(last <= Date.now() / 1000);
    assert.ok(last > Date.now() / 1000 - 7200, new Date(last * 1000).toISOString());
  });
});
