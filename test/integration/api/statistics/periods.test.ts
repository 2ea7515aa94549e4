import assert from 'node:assert/strict';
import type { PartialDecoded } from '../../../../clickhouse/model/fields.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';

type Fields = Partial<PartialDecoded>;
type Sent = { readonly at: string; readonly type?: Report['type'] } & Fields;

/** Reports of a station of its own, a question about them, and the values of its rows in their order. */
type Example = {
  readonly reports: readonly Sent[];
  readonly query: string;
  readonly values: readonly (readonly unknown[])[];
};

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
/** A report each hour of a day, at minute 51. */
const day = (date: string, of: (hour: string) => Fields = () => ({})): readonly Sent[] =>
  HOURS.map((hour) => ({ at: `${date}T${hour}:51:00Z`, ...of(hour) }));
const days = (from: string, to: string) => `from=${from}T00:00:00Z&to=${to}T00:00:00Z&by=date`;

const EXTREMES: Readonly<Record<string, Example>> = {
  'an extreme of 24 hours far beyond all extremes of six hours does not count': {
    reports: day('2024-05-01', (hour) => ({
      temp_c: '15',
      ...(Number(hour) % 6 === 5 && { mint6_c: 10.6, maxt6_c: 16 }),
      ...(hour === '23' && { mint24_c: 2.8, maxt24_c: 16 }),
    })),
    query: `${days('2024-05-01', '2024-05-02')}&select=lowest(temp_c),highest(temp_c)`,
    values: [[10.6, 16]],
  },
  'it may pass them, and the reports of hours that none of them covers, by 2 °C': {
    reports: [
      ...day('2024-05-01', (hour) => ({
        temp_c: Number(hour) < 18 ? '9' : '20',
        ...(hour === '05' && { mint6_c: 5, maxt6_c: 9 }),
        ...(hour === '23' && { mint24_c: 3, maxt24_c: 22 }),
      })),
      ...day('2024-05-02', (hour) => ({
        temp_c: '20',
        ...(hour === '23' && { mint24_c: 17.9, maxt24_c: 22.1 }),
      })),
    ],
    query: `${days('2024-05-01', '2024-05-03')}&select=lowest(temp_c),highest(temp_c)`,
    values: [
      [3, 22],
      [20, 20],
    ],
  },
  'extremes of six hours that touch the 24 hours bear them out, also those of reports after them': {
    reports: [
      ...day('2024-05-01', (hour) => ({
        temp_c: '10',
        ...(hour === '21' && { maxt24_c: 25 }),
        ...(hour === '23' && { maxt6_c: 26 }),
      })),
      { at: '2024-05-02T02:51:00Z', maxt6_c: 30 },
    ],
    query: `from=2024-04-30T22:00:00Z&to=2024-05-01T22:00:00Z&select=highest(temp_c)&by=date&tz=Etc/GMT-2`,
    values: [[25]],
  },
};

const PEAKS: Readonly<Record<string, Example>> = {
  'a peak wind belongs to its own day, whichever report brings it': {
    reports: [
      { at: '2024-03-02T23:51:00Z', wgst_kt: 30 },
      { at: '2024-03-03T00:51:00Z', wgst_kt: 31, pk_wspd_kt: 60, pk_time: '2355' },
      { at: '2024-03-04T00:51:00Z', wgst_kt: 20, pk_wspd_kt: 61, pk_time: '2358' },
    ],
    query: `${days('2024-03-02', '2024-03-04')}&select=highest(wgst_kt),time_of_highest(wgst_kt)`,
    values: [
      [60, '2024-03-02T23:55:00Z'],
      [61, '2024-03-03T23:58:00Z'],
    ],
  },
  'and to its own month and range': {
    reports: [
      { at: '2024-03-31T23:51:00Z', wgst_kt: 30 },
      { at: '2024-04-01T00:51:00Z', wgst_kt: 31, pk_wspd_kt: 60, pk_time: '2355' },
      { at: '2024-05-01T00:10:00Z', type: 'SPECI', pk_wspd_kt: 50, pk_time: '0005' },
    ],
    query: 'from=2024-03-01T00:00:00Z&to=2024-05-01T00:00:00Z&select=highest(wgst_kt)&by=month',
    values: [[60], [31]],
  },
  'also beside groups of the report, and to its own nominal hour': {
    reports: [
      { at: '2024-03-31T22:51:00Z', wgst_kt: 30, fltcat: 'VFR' },
      { at: '2024-04-01T00:51:00Z', wgst_kt: 31, fltcat: 'VFR', pk_wspd_kt: 60, pk_time: '2235' },
    ],
    query: 'from=2024-03-01T00:00:00Z&to=2024-04-01T00:00:00Z&select=highest(wgst_kt)&by=month,hour,fltcat',
    values: [[60], [30]],
  },
};

const AMOUNTS: Readonly<Record<string, Example>> = {
  'six hours repair what hourly amounts lack, and 24 hours what both lack': {
    reports: [
      { at: '2024-03-05T12:51:00Z', pcp1h_in: 0.1 },
      { at: '2024-03-05T17:51:00Z', pcp1h_in: 0.05, pcp6h_in: 0.8 },
      { at: '2024-03-05T23:51:00Z', pcp24h_in: 0.9 },
      { at: '2024-03-06T23:51:00Z', pcp24h_in: 0 },
    ],
    query: `${days('2024-03-05', '2024-03-07')}&select=total(pcp1h_in)`,
    values: [[0.9], [0]],
  },
  'of the reports with a text only their own gauge hours count': {
    reports: [
      { at: '2024-03-05T12:51:00Z', pcp1h_in: 0.1, wx: 'TSRA' },
      { at: '2024-03-05T13:51:00Z', pcp1h_in: 0.05, wx: '-RA' },
    ],
    query: `${days('2024-03-05', '2024-03-06')}&select=total(pcp1h_in)&filter=wx LIKE '%25TS%25'`,
    values: [[0.1]],
  },
  'a group of a part of its time knows no gauge from reports outside the range': {
    reports: [
      { at: '2024-03-05T12:51:00Z', fltcat: 'VFR' },
      { at: '2024-03-06T12:51:00Z', fltcat: 'VFR', pcp1h_in: 0.05 },
    ],
    query: 'from=2024-03-05T00:00:00Z&to=2024-03-06T00:00:00Z&select=total(pcp1h_in)&by=month,fltcat',
    values: [[undefined]],
  },
  '0 is a measurement: of rain without an amount the total is unknown, and of a dry day in a month without a gauge':
    {
      reports: [
        ...day('2024-01-10', () => ({ wx: '-RA' })),
        ...day('2024-01-11', () => ({ wx: 'VCSH' })),
        ...day('2024-01-12', () => ({ pcp1h_in: 0 })),
        ...day('2024-02-01'),
        ...day('2024-03-01', () => ({ station_type: 'AO2' })),
      ],
      query: `from=2024-01-10T00:00:00Z&to=2024-03-02T00:00:00Z&by=date&select=total(pcp1h_in)`,
      values: [[undefined], [0], [0], ...Array.from({ length: 48 }, () => [undefined]), [0]],
    },
};

describe('what reports say of a longer time than their own (D60, D61)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  const examples = { ...EXTREMES, ...PEAKS, ...AMOUNTS };
  const stationOf = (name: string) => `XP${String(Object.keys(examples).indexOf(name)).padStart(2, '0')}`;
  before(async () => {
    const reports = Object.entries(examples).flatMap(([name, example]) =>
      example.reports.map(({ at, type = 'METAR', ...fields }) =>
        report({
          at,
          type,
          station: stationOf(name),
          raw: `${stationOf(name)} ${at} ${type}`,
          decoded: { cavok: false, ...fields },
        }),
      ),
    );
    await insert(archive.client, ...reports.map((each) => put(each)));
  });

  const rowsOf = async (name: string, query: string) => {
    const target = `/v1/history/statistics?stations=${stationOf(name)}&${query}`;
    return (await api.json<{ data: readonly Readonly<Record<string, unknown>>[] }>(target)).data;
  };
  const GROUPS = { 'extremes (D60)': EXTREMES, 'peak winds (D61)': PEAKS, 'amounts (D58)': AMOUNTS };
  for (const [title, group] of Object.entries(GROUPS))
    describe(title, () => {
      for (const [name, { query, values }] of Object.entries(group))
        it(name, async () => {
          const rows = await rowsOf(name, query);
          const columns = [...query.matchAll(/(?:select=|,)(\w+)\((\w+)\)/g)].map(
            ([, of, field]) => `${of}_${field}`,
          );
          assert.deepEqual(
            rows.map((row) => columns.map((column) => row[column])),
            values,
          );
        });
    });

  it('is in the preset of extremes by the same rules (D60, D61)', async () => {
    const may = 'from=2024-05-01&to=2024-06-01&preset=extremes';
    const [month] = await rowsOf(
      'an extreme of 24 hours far beyond all extremes of six hours does not count',
      may,
    );
    assert.deepEqual([month?.lowest_temp_c, month?.highest_temp_c], [10.6, 16]);
    assert.ok(!Object.values(month ?? {}).includes(2.8), JSON.stringify(month));
    const months = await rowsOf(
      'and to its own month and range',
      'from=2024-03-01&to=2024-05-01&preset=extremes',
    );
    assert.deepEqual(
      months.map((row) => [row.highest_wgst_kt, row.time_of_highest_wgst_kt]),
      [
        [60, '2024-03-31T23:55:00Z'],
        [31, '2024-04-01T00:51:00Z'],
      ],
    );
    assert.ok(!Object.values(months[1] ?? {}).includes(60), JSON.stringify(months[1]));
  });
});
