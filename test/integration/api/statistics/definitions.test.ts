import assert from 'node:assert/strict';
import type { PartialDecoded } from '../../../../clickhouse/model/fields.ts';
import { type Report, versionAbove } from '../../../../clickhouse/model/report.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, retract, useArchive } from '../../../support/archive/archive.ts';

const RANK = 10;

type Sent = Partial<Omit<Report, 'decoded'>> & {
  readonly at: string;
  readonly decoded?: Partial<PartialDecoded>;
};

/** A definition: reports of a station of its own, a question about them, and the rows without the station. */
type Definition = {
  readonly reports: readonly Sent[];
  readonly query: string;
  readonly rows: readonly object[];
};

const DAY = 'from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
const at = (time: string, decoded: Partial<PartialDecoded> = {}, more: Partial<Sent> = {}): Sent => ({
  at: `2024-01-01T${time}:00Z`,
  ...more,
  decoded,
});
const WARM = { temp_c: '20' } as const;
const LESS = { visib_sm: 0.25, visib_m: 402, visib_mod: 'M' } as const;

const DEFINITIONS: Readonly<Record<string, Definition>> = {
  'a report of 11:51 is that of 12 o’clock, and one of 12:50 that of 13': {
    reports: [at('11:51', WARM), at('12:49', WARM), at('12:50', WARM)],
    query: `${DAY}&select=count&by=hour`,
    rows: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      n: hour === 12 || hour === 13 ? 1 : 0,
      expected: 1,
    })),
  },
  'the first METAR of an hour counts for a mean, and every report for an extreme': {
    reports: [
      at('11:49', { temp_c: '1' }),
      at('11:50', { temp_c: '9' }, { type: 'SPECI' }),
      at('11:55', { temp_c: '2' }),
      at('12:20', { temp_c: '3' }),
    ],
    query: `${DAY}&select=mean(temp_c),max(temp_c),min(temp_c),count`,
    rows: [{ n: 2, expected: 24, mean_temp_c: 1.5, max_temp_c: 9, min_temp_c: 1 }],
  },
  'count is n, and a column of its own where it has a name': {
    reports: [at('11:50'), at('12:50')],
    query: `${DAY}&select=count,reports:count`,
    rows: [{ n: 2, expected: 24, reports: 2 }],
  },
  'which METAR is the first of its hour does not depend on the range': {
    reports: [at('11:55', { temp_c: '1' }), at('12:05', { temp_c: '2' }), at('12:55', { temp_c: '4' })],
    query: 'from=2024-01-01T12:00:00Z&to=2024-01-01T13:00:00Z&select=mean(temp_c),max(temp_c)',
    rows: [{ n: 1, expected: 1, mean_temp_c: 4, max_temp_c: 4 }],
  },
  'reports of a range that no clock hour begins in have groups': {
    reports: [at('12:51', { temp_c: '1' })],
    query: 'from=2024-01-01T12:50:00Z&to=2024-01-01T12:55:00Z&select=count&by=date,hour',
    rows: [
      { date: '2024-01-01', hour: 12, n: 0, expected: 0 },
      { date: '2024-01-01', hour: 13, n: 1, expected: 0 },
    ],
  },
  'a sum of amounts in any unit adds the hourly sample, also of all reports (D74)': {
    reports: [
      at('11:51', { pcp1h_in: 0.25 }),
      at('12:10', { pcp1h_in: 0.03 }, { type: 'SPECI' }),
      at('12:51', { pcp1h_in: 0.5 }),
    ],
    query: `${DAY}&select=sum(pcp1h_in),sum(pcp1h_mm),count&sample=all`,
    rows: [{ n: 3, expected: 24, sum_pcp1h_in: 0.75, sum_pcp1h_mm: 19.05 }],
  },
  'what no report can be judged by is absent, never 0': {
    reports: [at('11:51')],
    query: `${DAY}&select=warm:days(temp_c > 0),hot:hours(temp_c > 0),any:count(temp_c > 0),sum(pcp1h_in)`,
    rows: [{ n: 1, expected: 24 }],
  },
  'of an original and its correction the correction counts, with every sample': {
    reports: [
      at('11:51', { temp_c: '30' }, { raw: 'X 011151Z 30/' }),
      at('11:51', { temp_c: '3', cor: true }, { raw: 'X 011151Z COR 03/' }),
      at('12:51', { temp_c: '5', cor: true }, { raw: 'X 011251Z COR 05/' }),
      at(
        '12:51',
        { temp_c: '50' },
        { raw: `X 011251Z 50/ RMK ${'A LONGER TEXT IS OF NO USE '.repeat(100)}` },
      ),
      at('13:20', { temp_c: '70' }, { type: 'SPECI', raw: 'X 011320Z 70/' }),
      at('13:20', { temp_c: '7', cor: true }, { type: 'SPECI', raw: 'X 011320Z COR 07/' }),
      at('14:51', { temp_c: '90', cor: true, cor_number: 1 }, { raw: 'X 011451Z CCA 90/ RMK LONGER' }),
      at('14:51', { temp_c: '4', cor: true, cor_number: 26 }, { raw: 'X 011451Z CCZ 04/' }),
    ],
    query: `${DAY}&select=mean(temp_c),max(temp_c)`,
    rows: [{ n: 3, expected: 24, mean_temp_c: 4, max_temp_c: 7 }],
  },
  'of other reports of a minute the longer text counts': {
    reports: [
      at('11:51', { temp_c: '1' }, { raw: 'X 011151Z 01/' }),
      at('11:51', { temp_c: '2' }, { raw: 'X 011151Z 02/ RMK MORE' }),
      at('11:51', { temp_c: '3' }, { raw: 'X 011151Z 03/ RMK' }),
    ],
    query: `${DAY}&select=mean(temp_c),count&sample=all`,
    rows: [{ n: 1, expected: 24, mean_temp_c: 2 }],
  },
  'a share judges what can be judged: no ceiling is above every height, no visibility is unknown': {
    reports: [
      at('01:00', { clouds: [{ cover: 'OVC', base_ft: 300 }] }),
      at('02:00', { clouds: [{ cover: 'FEW', base_ft: 300 }] }),
      at('03:00', {}),
      at('04:00', { visib_m: 400, clouds: [{ cover: 'SCT', base_ft: 100 }] }),
    ],
    query: `${DAY}&select=low:share(ceiling_ft < 500),fog:share(visib_m < 800),either:share(visib_m < 800 OR ceiling_ft < 500),low_count:count(ceiling_ft < 500),none:share(slp_hpa > 1000)`,
    rows: [{ n: 4, expected: 24, low: 0.3333333333, fog: 1, either: 1, low_count: 1 }],
  },
  'December belongs to the winter of the following year': {
    reports: [
      { at: '2023-12-31T12:00:00Z', decoded: { temp_c: '1' } },
      { at: '2024-02-29T12:00:00Z', decoded: { temp_c: '3' } },
      { at: '2024-03-01T12:00:00Z', decoded: { temp_c: '9' } },
    ],
    query: 'from=2023-11-30T00:00:00Z&to=2024-03-02T00:00:00Z&select=mean(temp_c)&by=year,season',
    rows: [
      { year: 2023, season: 'SON', n: 0, expected: 24 },
      { year: 2024, season: 'DJF', n: 2, expected: 91 * 24, mean_temp_c: 2 },
      { year: 2024, season: 'MAM', n: 1, expected: 24, mean_temp_c: 9 },
    ],
  },
  'a reported sky without a ceiling is in the highest class, and a sky that is not reported in none': {
    reports: [at('01:00', { clouds: [{ cover: 'FEW', base_ft: 100 }] }), at('02:00')],
    query: `${DAY}&select=count&by=class(ceiling_ft;500)`,
    rows: [
      { class_ceiling_ft: 1, n: 1, expected: 24 },
      { n: 1, expected: 24 },
    ],
  },
  'less than a quarter of a mile is judged as such, and is the quarter in means (D79)': {
    reports: [LESS, LESS, { visib_sm: 10, visib_m: 16093 }].map((decoded, n) => at(`0${n}:00`, decoded)),
    query: `${DAY}&select=low:share(visib_sm < 0.25),lowest:share(visib_m < 350),mean(visib_sm),min(visib_m)`,
    rows: [{ n: 3, expected: 24, low: 0.6666666667, lowest: 0, mean_visib_sm: 3.5, min_visib_m: 402 }],
  },
  'it is in the class that ends with it': {
    reports: [LESS, { visib_m: 300 }, { visib_m: 402 }].map((decoded, n) => at(`0${n}:00`, decoded)),
    query: `${DAY}&select=count&by=class(visib_m;402;800)`,
    rows: [
      { class_visib_m: 0, n: 2, expected: 24 },
      { class_visib_m: 1, n: 1, expected: 24 },
    ],
  },
  'a class is unknown where a bound of it is': {
    reports: [LESS, { visib_m: 300 }].map((decoded, n) => at(`0${n}:00`, decoded)),
    query: `${DAY}&select=count&by=class(visib_m;350;800)`,
    rows: [
      { class_visib_m: 0, n: 1, expected: 24 },
      { n: 1, expected: 24 },
    ],
  },
  'a number has the digits of the report': {
    reports: [at('01:00', { altim_hpa: 1013.2, altim_inhg: 29.92, visib_sm: 0.0625, pcp1h_in: 0.01 })],
    query: `${DAY}&select=max(altim_hpa),max(altim_inhg),max(visib_sm),sum(pcp1h_in)`,
    rows: [
      {
        ...{ n: 1, expected: 24, max_altim_hpa: 1013.2, max_altim_inhg: 29.92 },
        ...{ max_visib_sm: 0.0625, sum_pcp1h_in: 0.01 },
      },
    ],
  },
  'the nominal hour has its own offset where clocks change at the end of the range': {
    reports: [{ at: '2024-03-31T00:51:00Z' }],
    query:
      'from=2024-03-31T00:00:00Z&to=2024-03-31T01:00:00Z&select=count&by=hour&tz=Europe/London&sample=all',
    rows: [
      { hour: 0, n: 0, expected: 1 },
      { hour: 2, n: 1, expected: 0 },
    ],
  },
  'and where they have changed in the hour in which the range begins': {
    reports: [{ at: '2024-10-05T15:35:00Z' }],
    query:
      'from=2024-10-05T15:30:00Z&to=2024-10-05T16:00:00Z&select=count&by=hour&tz=Australia/Lord_Howe&sample=all',
    rows: [{ hour: 1, n: 1, expected: 0 }],
  },
};

/** Random questions are in `oracle.test.ts`: this is what they leave out. */
describe('what counts in a statistic, by hand (D45, D52)', () => {
  const archive = useArchive();
  const names = Object.keys(DEFINITIONS);
  const stationOf = (name: string) => `XD${String(names.indexOf(name)).padStart(2, '0')}`;
  before(async () => {
    const revisions = Object.entries(DEFINITIONS).flatMap(([name, { reports }]) =>
      reports.map(({ decoded, ...about }) =>
        put(report({ ...about, station: stationOf(name), decoded: { cavok: false, ...decoded } }), RANK),
      ),
    );
    await insert(archive.client, ...revisions);
  });
  const api = useApi(() => startApi(archive.client));

  const rowsOf = async (query: string, from = api) =>
    (await from.rows(`/v1/history/statistics?${query}`)).map(({ station: _, ...row }) => row);

  for (const [name, { query, rows }] of Object.entries(DEFINITIONS))
    it(name, async () => {
      assert.deepEqual(await rowsOf(`stations=${stationOf(name)}&${query}`), rows);
    });

  it('a replaced version never counts, and a retracted report neither', async () => {
    const query = `stations=XREV&${DAY}&select=mean(temp_c)`;
    const [first, gone] = ['01:00', '02:00'].map((time) =>
      report({ station: 'XREV', at: `2024-01-01T${time}:00Z`, decoded: { temp_c: '1', cavok: false } }),
    ) as [Report, Report];
    await insert(archive.client, put(first, RANK), put(gone, RANK));
    assert.deepEqual(await rowsOf(query), [{ n: 2, expected: 24, mean_temp_c: 1 }]);
    const corrected = { ...first, decoded: { temp_c: '7', cavok: false } } as const;
    await insert(archive.client, put(corrected, versionAbove(1, { version: RANK })), retract(gone, RANK + 1));
    const later = await startApi(archive.client);
    assert.deepEqual(await rowsOf(query, later), [{ n: 1, expected: 24, mean_temp_c: 7 }]);
    await later.stop();
  });
});
