import assert from 'node:assert/strict';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { decode } from '../../../../loader/decode.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';

/** A report of May 2024, with the end of its remarks and its weather. */
type Text = {
  readonly type: Report['type'];
  /** As in the report: `011151` is 11:51 UTC on the first. */
  readonly time: string;
  readonly remarks: string;
  readonly weather: string;
};
/** Reports of a station of its own, the end of a question about them, and the values of its rows in their order. */
type Example = {
  readonly texts: readonly Text[];
  readonly query: string;
  readonly values: readonly (readonly unknown[])[];
};

const metar = (time: string, remarks = 'AO2', weather = ''): Text => ({
  type: 'METAR',
  time,
  remarks,
  weather,
});
const speci = (time: string, remarks = 'AO2', weather = ''): Text => ({
  type: 'SPECI',
  time,
  remarks,
  weather,
});
const twoDigits = (number: number) => String(number).padStart(2, '0');
/** A METAR of minute 51 in each hour of a day, where `hours` names no other one. */
function hourly(day: number, hours: Readonly<Record<number, Text | undefined>> = {}): readonly Text[] {
  return Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour) => {
    const text = hour in hours ? hours[hour] : metar(`${twoDigits(day)}${twoDigits(hour)}51`);
    return text === undefined ? [] : [text];
  });
}

const range = (first: number, end: number) =>
  `from=2024-05-${twoDigits(first)}T00:00:00Z&to=2024-05-${twoDigits(end)}T00:00:00Z`;
const TOTAL = 'select=precip:total(pcp1h_in)';
const DAILY = 'preset=daily&tz=utc';

const AMOUNTS: Readonly<Record<string, Example>> = {
  'a special report shows a part of what the next METAR shows': {
    texts: [metar('011151', 'AO2 P0005'), speci('011210', 'AO2 P0003'), metar('011251', 'AO2 P0010')],
    query: `${range(1, 2)}&${TOTAL},sum(pcp1h_in)`,
    values: [[0.15, 0.15]],
  },
  'and counts where that METAR is missing': {
    texts: [metar('012251'), speci('012349', 'AO2 P0024'), metar('020051', 'AO2 P0002')],
    query: `${range(1, 3)}&${TOTAL}&by=date`,
    values: [[0.24], [0.02]],
  },
  'an amount of six hours repairs hours without a METAR': {
    texts: hourly(1, {
      12: metar('011251', 'AO2 P0010'),
      14: undefined,
      15: undefined,
      16: undefined,
      17: metar('011751', 'AO2 P0005 60080'),
    }),
    query: `${range(1, 2)}&${TOTAL}`,
    values: [[0.8]],
  },
  'and hours in which the gauge does not operate': {
    texts: hourly(1, {
      13: metar('011351', 'AO2 P0010', 'RA'),
      14: metar('011451', 'AO2 PNO', 'RA'),
      17: metar('011751', 'AO2 60030'),
    }),
    query: `${range(1, 2)}&${TOTAL}`,
    values: [[0.3]],
  },
  'an amount counts in a month that has all its hours, and makes the days that it crosses unknown': {
    texts: [1, 2, 3].flatMap((day) =>
      hourly(day, { 5: metar(`0${day}0551`, day === 2 ? 'AO2 60150' : 'AO2 60000') }),
    ),
    query: `from=2024-05-01T05:00:00Z&to=2024-05-04T05:00:00Z&${TOTAL}&by=date&tz=Etc/GMT%2B5`,
    values: [[undefined], [undefined], [0]],
  },
  'and in months': {
    texts: [1, 2, 3].flatMap((day) =>
      hourly(day, { 5: metar(`0${day}0551`, day === 2 ? 'AO2 60150' : 'AO2 60000') }),
    ),
    query: `from=2024-05-01T05:00:00Z&to=2024-05-04T05:00:00Z&${TOTAL}&by=month&tz=Etc/GMT%2B5`,
    values: [[1.5]],
  },
  'a day that an amount crosses has its hourly amounts': {
    texts: [
      ...hourly(1, { 23: metar('012351', 'AO2 P0003') }),
      ...hourly(2, { 3: metar('020351', 'AO2 P0002'), 5: metar('020551', 'AO2 P0001 60008') }),
    ],
    query: `from=2024-05-01T05:00:00Z&to=2024-05-03T05:00:00Z&${TOTAL}&by=date&tz=Etc/GMT%2B5`,
    values: [[0.05], [0.01]],
  },
  'without precipitation the total is 0 where the gauge operates': {
    texts: hourly(1),
    query: `${range(1, 2)}&${TOTAL}`,
    values: [[0]],
  },
  'and absent where no report says that there is a gauge': {
    texts: hourly(1).map(({ time }) => metar(time, 'SLP123')),
    query: `${range(1, 2)}&${TOTAL}`,
    values: [[undefined]],
  },
  'or where it does not operate': {
    texts: hourly(1).map(({ time }) => metar(time, 'AO2 PNO')),
    query: `${range(1, 2)}&${TOTAL}`,
    values: [[undefined]],
  },
  'precipitation without an amount makes the total unknown': {
    texts: [...hourly(1), ...hourly(2, { 3: metar('020351', 'AO2 PNO', 'RA') })],
    query: `${range(1, 3)}&${TOTAL}&by=date`,
    values: [[0], [undefined]],
  },
  'an amount before the range is in no row of it': {
    texts: [metar('012351', 'AO2 P0010')],
    query: `${range(2, 3)}&${TOTAL}&by=hour`,
    values: Array.from({ length: 24 }, () => [undefined]),
  },
  'a trace is a measurement of 0': {
    texts: hourly(1, { 3: metar('010351', 'AO2 P0000', '-RA') }),
    query: `${range(1, 2)}&${TOTAL}`,
    values: [[0]],
  },
};

/** Open from 6 to 20 UTC. */
const byDay = (day: number, change: Readonly<Record<number, Text>> = {}) =>
  hourly(day, {
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 21, 22, 23].map((hour) => [hour, undefined])),
    ...change,
  });
const threeDays = (of: (day: number) => readonly Text[]) => [1, 2, 3].flatMap(of);

const DAYS: Readonly<Record<string, Example>> = {
  'a day of an aerodrome that is closed at night has no mean, no extreme and no total of 0': {
    texts: threeDays((day) => byDay(day)),
    query: `${range(2, 3)}&${DAILY}&columns=n,mean_temp_c,min_temp_c,max_temp_c,precip_in,thunder`,
    values: [[15, undefined, undefined, undefined, undefined, undefined]],
  },
};

describe('amounts of precipitation, and days of which enough is known', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  const names = [...Object.keys(AMOUNTS), ...Object.keys(DAYS)];
  const stationOf = (name: string) => `KX${twoDigits(names.indexOf(name))}`;
  before(async () => {
    const reports = Object.entries({ ...AMOUNTS, ...DAYS }).flatMap(([name, { texts }]) =>
      texts.map((text) => reportOf(stationOf(name), text)),
    );
    await insert(archive.client, ...reports.map((each) => put(each)));
  });

  for (const [title, group] of Object.entries({ 'amounts (D58)': AMOUNTS, 'days (D59)': DAYS }))
    describe(title, () => {
      for (const [name, { query, values }] of Object.entries(group))
        it(name, async () => {
          const parameters = new URLSearchParams(query);
          const columns = parameters.get('columns')?.split(',') ?? ['precip', 'sum_pcp1h_in'];
          parameters.delete('columns');
          const target = `/v1/history/statistics?stations=${stationOf(name)}&${parameters}`;
          const { data: rows } = await api.json<{ data: readonly Readonly<Record<string, unknown>>[] }>(
            target,
          );
          const width = values[0]?.length;
          assert.deepEqual(
            rows.map((row) => columns.slice(0, width).map((column) => row[column])),
            values,
          );
        });
    });
});

function reportOf(station: string, { type, time, remarks, weather }: Text): Report {
  const body = `24008KT 10SM ${weather} FEW030 10/07 A2990 RMK ${remarks}`.replace('  ', ' ');
  const raw = `${type} ${station} ${time}Z ${body}`;
  const { fields, unexplained } = decode(raw);
  assert.deepEqual(unexplained, []);
  const at = `2024-05-${time.slice(0, 2)}T${time.slice(2, 4)}:${time.slice(4)}:00Z`;
  return report({ at, station, type, raw, decoded: fields });
}
