import assert from 'node:assert/strict';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { decode } from '../../../../../loader/decode.ts';
import { demo } from '../../../../../loader/sources/demo/demo.ts';
import { DEMO_STATIONS } from '../../../../../loader/sources/demo/demo-stations.ts';

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
    const year = [...DEMO_STATIONS.keys(), 'XQRS'].map((station) =>
      generate(station, '2024-01-01', '2025-01-01'),
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
      // XAAE reports on 13 hours of the day.
      const share = reports[0]?.station === 'XAAE' ? 13 / 24 : 1;
      assert.ok(specials > 300 * share && specials < 800 * share, `${specials} SPECI in a year`);
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

  it('gives each of its stations a climate', () => {
    const texts = (station: string) => generate(station, '2024-01-01', '2025-01-01').map(({ text }) => text);
    const share = (station: string, pattern: RegExp) => {
      const all = texts(station);
      return all.filter((text) => pattern.test(text)).length / all.length;
    };
    assert.ok(share('XAAD', / \+?(TSRA|SHRA) .*CB /) > 0.02, 'thunderstorms in the tropics');
    assert.ok(share('XAAD', / M?\d\d\/M?\d\d /) === 1 && share('XAAD', / (2[4-9]|3\d)\/\d\d /) > 0.9);
    assert.ok(share('XAAE', / BLDU /) > 0.005, 'blowing dust in the desert');
    assert.ok(share('XAAE', / CAVOK /) > 0.4);
    assert.ok(share('XAAF', / -SN /) > 0.05, 'snow in the continental winter');
    assert.ok(share('XAAF', / FZFG /) > 0.002);
    assert.ok(share('XAAF', / M[2-5]\d\/M/) > 0.05 && share('XAAF', / 2\d\//) > 0.02);
    assert.ok(share('XAAG', / (FG|BR) /) > 0.1, 'fog at the sea');
    assert.ok(share('XAAB', / M\d\d\//) > 0.3 && share('XAAC', / M\d\d\//) > 0.6);
  });

  it('leaves gaps in the reports of some stations, by outages and by opening hours', () => {
    const hoursBetweenReports = (station: string) => {
      const times = generate(station, '2024-01-01', '2025-01-01').map(({ filedAt }) => filedAt);
      return times.slice(1).map((time, at) => (time - (times[at] ?? 0)) / 3600);
    };
    for (const station of ['XAAD', 'XAAF', 'XAAG']) {
      const gaps = hoursBetweenReports(station).filter((hours) => hours > 2);
      assert.ok(gaps.length > 8 && gaps.length < 35, `${station} has ${gaps.length} gaps`);
      assert.ok(Math.max(...gaps) > 30 && Math.max(...gaps) < 120);
    }
    assert.ok(hoursBetweenReports('XAAE').filter((hours) => hours > 10).length > 300);
    assert.ok(Math.max(...hoursBetweenReports('XAAA')) <= 1);
  });

  it('states a period of record for each station', () => {
    const { listings } = demo().list(['XAAA', 'XAAE', 'XZZZ']);
    assert.deepEqual(
      listings.map(({ firstDay }) => firstDay),
      ['2005-01-01', '2022-04-10', '2005-01-01'],
    );
  });

  it('gives its stations an invented name and position, and no country', () => {
    const describe = (...stations: readonly string[]) => demo().list(stations).descriptions;
    assert.deepEqual(describe('XAAD')[0], {
      source: 'demo',
      station: 'XAAD',
      name: 'Coral Lagoon',
      position: { latitude: -4.1, longitude: -140.6 },
      elevation_m: 3,
    });
    assert.deepEqual(describe('XZZZ'), [{ source: 'demo', station: 'XZZZ' }]);
    assert.ok(describe(...DEMO_STATIONS.keys()).every(({ country }) => country === undefined));
  });
});
