import assert from 'node:assert/strict';
import type { PartialDecoded } from '../../../../clickhouse/model/fields.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { startApi } from '../../../support/api/api.ts';
import { useApi } from '../../../support/api/use-api.ts';
import { insert, put, report } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

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
  'an extreme of 24 hours beyond all extremes of six hours does not count': {
    reports: day('2024-05-01', (hour) => ({
      temp_c: '15',
      ...(Number(hour) % 6 === 5 && { mint6_c: 10.6, maxt6_c: 16 }),
      ...(hour === '23' && { mint24_c: 2.8, maxt24_c: 16 }),
    })),
    query: `${days('2024-05-01', '2024-05-02')}&select=lowest(temp_c),highest(temp_c)`,
    values: [[10.6, 16]],
  },
  'it may pass by 2 °C the reports of hours that no extreme of six hours covers': {
    reports: [
      ...day('2024-05-01', (hour) => ({
        temp_c: Number(hour) < 18 ? '9' : '20',
        ...(hour === '05' && { mint6_c: 5, maxt6_c: 9 }),
        ...(hour === '23' && { mint24_c: 4.9, maxt24_c: 22 }),
      })),
      ...day('2024-05-02', (hour) => ({
        temp_c: '20',
        ...(hour === '23' && { mint24_c: 17.9, maxt24_c: 22.1 }),
      })),
    ],
    query: `${days('2024-05-01', '2024-05-03')}&select=lowest(temp_c),highest(temp_c)`,
    values: [
      [5, 22],
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
};

describe('what reports say of a longer time than their own', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  const examples = { ...EXTREMES, ...PEAKS };
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

  for (const [title, group] of Object.entries({ 'extremes (D60)': EXTREMES, 'peak winds (D61)': PEAKS }))
    describe(title, () => {
      for (const [name, { query, values }] of Object.entries(group))
        it(name, async () => {
          const response = await api.get(`/v1/history/statistics?stations=${stationOf(name)}&${query}`);
          const text = await response.text();
          assert.equal(response.status, 200, text);
          const rows = JSON.parse(text).data as Readonly<Record<string, unknown>>[];
          const columns = [...query.matchAll(/(?:select=|,)(\w+)\((\w+)\)/g)].map(
            ([, of, field]) => `${of}_${field}`,
          );
          assert.deepEqual(
            rows.map((row) => columns.map((column) => row[column])),
            values,
          );
        });
    });
});
