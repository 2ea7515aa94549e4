import assert from 'node:assert/strict';
import type { Decoded, Observation } from '../../../../../../api/client/client.d.ts';
import {
  groupsOf,
  reportInWords,
  reportValues,
  symbolOf,
  toPoints,
  visibilityText,
  weatherWords,
} from '../../../../../../api/explorer/assets/model/reports.ts';
import { chooseUnits } from '../../../../../../api/explorer/assets/model/units.ts';

const record = (time: string, decoded?: object, type: Observation['type'] = 'METAR') =>
  ({
    id: time,
    station: 'XAAA',
    observedAt: `2024-01-01T${time}:00Z`,
    type,
    parseStatus: 'parsed',
    ...(decoded && { decoded }),
  }) as Observation;

describe('a report on the page', () => {
  it('is told in words, from its decoded fields', () => {
    const fields = {
      wdir: 60,
      wspd_kt: 8,
      visib_m: 4828,
      visib_sm: 3,
      wx: '-SN BR',
      clouds: [
        { cover: 'SCT', base_ft: 300 },
        { cover: 'OVC', base_ft: 700 },
      ],
      temp_c: '0',
      dewp_c: '-1',
      altim_hpa: 1015,
    } satisfies Decoded;
    const told =
      'Wind from 060° at 8 knots. Visibility 3 miles in light snow and mist. Overcast at 700 ft. Temperature 0 °C, dew point \u22121 °C. Pressure 1015 hPa.';
    const calm = { wspd_kt: 0, cavok: true, visib_m: 10_000 };
    const rows: readonly (readonly [Decoded, string])[] = [
      [fields, told],
      [calm, 'Calm. Visibility 10 km or more. Ceiling and visibility OK.'],
      [{ wdir_vrb: true, wspd_kt: 1, wgst_kt: 15 }, 'Variable wind at 1 knot, gusts 15.'],
      [{ visib_sm: 2.25 }, 'Visibility 2 1/4 miles.'],
      [{}, ''],
    ];
    for (const [decoded, words] of rows) assert.equal(reportInWords(decoded), words);
  });

  it('has its weather in words, and a group that is no weather as sent', () => {
    const EXPECTED = {
      '+TSRA': 'heavy thunderstorm with rain',
      VCTS: 'thunderstorm in the vicinity',
      '-SHSN': 'light showers of snow',
      FZFG: 'freezing fog',
      RASN: 'rain and snow',
      TSRAGR: 'thunderstorm with rain and hail',
      'BCFG HZ': 'patches of fog, haze',
      '//': '//',
      '': '',
    };
    for (const [wx, words] of Object.entries(EXPECTED)) assert.equal(weatherWords(wx), words, wx);
    assert.deepEqual(
      ['-TSRA', 'VCTS', 'SN FG', '-DZ FG', 'SHGR'].map((wx) => symbolOf(wx)?.name),
      ['thunder', undefined, 'snow', 'fog', 'rain, drizzle or hail'],
    );
  });

  it('has its visibility in the unit of the report', () => {
    assert.equal(visibilityText({ visib_sm: 2.25, visib_m: 3621 }), '2 1/4 SM');
    assert.equal(visibilityText({ visib_sm: 0.25, visib_m: 402, visib_mod: 'M' }), 'less than 1/4 SM');
    assert.equal(visibilityText({ visib_m: 800 }), '800 m');
    assert.equal(visibilityText({}), undefined);
    const values = reportValues(record('00:00', { visib_sm: 3, visib_m: 4828 }));
    assert.deepEqual([values.visibilityText, values.isInMiles], ['3 SM', true]);
    assert.equal(reportValues(record('00:00', { visib_m: 800 })).isInMiles, false);
  });

  it('says which field comes from each group, and nothing false about a group of the remarks', () => {
    const groups = groupsOf('CYYZ 010000Z 06006KT 4SM -SN BKN007 M00/M01 A2997 RMK SC6 1234 SLP158');
    const meanings = Object.fromEntries(groups.map(({ text, meaning }) => [text, meaning?.split(':')[0]]));
    assert.deepEqual(meanings, {
      CYYZ: 'station',
      '010000Z': 'observedAt',
      '06006KT': 'wdir, wspd_kt, wgst_kt',
      '4SM': 'visib_m',
      '-SN': 'wx',
      BKN007: 'clouds',
      'M00/M01': 'temp_c, dewp_c',
      A2997: 'altim_hpa',
      RMK: 'remarks follow',
      SC6: undefined,
      '1234': undefined,
      SLP158: 'slp_hpa',
    });
  });
});

describe('lines of the charts', () => {
  const hourly = ['00:51', '01:51', '02:51', '03:51'];
  /** A dot for a report, a space for a gap. */
  const marks = (...records: Observation[]) =>
    toPoints(records)
      .map(({ isReport }) => (isReport ? '.' : ' '))
      .join('');

  it('are interrupted where the usual interval is exceeded by more than half', () => {
    assert.equal(marks(...[...hourly, '05:51', '06:51'].map((time) => record(time))), '.... .. ');
    assert.equal(marks(), '');
    // However rare reports are, none says what the weather is after six hours.
    assert.equal(marks(...['00:00', '12:00', '17:00'].map((time) => record(time))), '. .. ');
    // A hidden report does not count.
    const withHidden = [...hourly, '04:51'].map((time, at) => ({
      ...record(time, {}),
      ...(at === 2 && { hidden: 'a broken sensor' }),
    }));
    assert.equal(marks(...withHidden), '.. .. ');
  });

  it('are not interrupted by many special reports, nor by a report without a value', () => {
    const specials = ['01:52', '01:55', '01:58', '02:02', '02:10'].map((time) => record(time, {}, 'SPECI'));
    const all = [...hourly.map((time) => record(time, {})), ...specials].sort((a, b) =>
      a.observedAt.localeCompare(b.observedAt),
    );
    assert.equal(marks(...all), '......... ');
  });

  it('of another year are moved to the one that is shown', () => {
    assert.equal(toPoints([record('00:00')], 86_400_000)[0]?.time, Date.parse('2024-01-02T00:00:00Z'));
  });
});

describe('the units of the page', () => {
  afterEach(() => chooseUnits([]));

  it('are those of the service, or those that the reader chooses, in figures and in words', () => {
    const decoded = {
      temp_c: '-0',
      dewp_c: '-5',
      wdir: 60,
      wspd_kt: 8,
      visib_m: 4800,
      altim_hpa: 1015,
    } as Decoded;
    for (const [units, words, figures] of [
      [
        [],
        'Wind from 060° at 8 knots. Visibility 4800 m. Temperature \u22120 °C, dew point \u22125 °C. Pressure 1015 hPa.',
        [-0, 8],
      ],
      [
        ['f', 'ms', 'inhg', 'sm'],
        'Wind from 060° at 4.1 m/s. Visibility 3.0 miles. Temperature 32 °F, dew point 23 °F. Pressure 29.97 inHg.',
        [32, 8 * (1852 / 3600)],
      ],
    ] as const) {
      chooseUnits(units);
      assert.equal(reportInWords(decoded), words);
      const { temperature, wind } = reportValues(record('00:00', decoded));
      assert.deepEqual([temperature, wind], figures);
    }
    assert.equal(reportInWords({ visib_m: 10_000 }), 'Visibility 6.2 miles or more.');
  });

  it('have no miles of a report that has none, whatever its fields say', () => {
    const report = {
      ...record('00:00', { visib_m: 4800, visib_sm: 3 }),
      raw: 'XAAA 010000Z 06008KT 4800 M00/M05 Q1015',
    };
    assert.equal(reportValues(report).visibilityText, '4800 m');
    assert.equal(reportValues({ ...report, raw: report.raw.replace('4800', '3SM') }).visibilityText, '3 SM');
  });
});
