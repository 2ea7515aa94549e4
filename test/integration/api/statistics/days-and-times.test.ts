import assert from 'node:assert/strict';
import { startApi, useApi } from '../../../support/api/api.ts';
import { describeStations, insert, put, useArchive } from '../../../support/archive/archive.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions } from '../../../support/repetitions.ts';
import {
  randomReports,
  STATIONS,
  type Station,
  standardShift,
  ZONES,
} from '../../../support/statistics/random-reports.ts';

const DAY = 86_400_000;
const QUARTER = 900_000;
/** Turns of a year and changes of clocks: `from`, and `to` before which the last day lies. */
const RANGES = [
  ['2023-12-29', '2024-01-03'],
  ['2024-01-01', '2024-01-02'],
  ['2024-03-09', '2024-03-12'],
  ['2024-03-10', '2024-04-08'],
  ['2024-10-06', '2024-11-04'],
  ['2024-03-31', '2024-04-01'],
] as const;
const QUESTIONS = [
  'preset=aerodrome-a',
  'select=count,mean(temp_c),max(temp_c),time_of_max(wgst_kt)&by=date',
  'select=count,sum(pcp1h_in),low:days(visib_m < 800),resultant(wdir),p95(wspd_kt)&by=month,hour',
  'select=count,max(temp_c),h:hours(thunder = TRUE)&by=date,fltcat&sample=all',
  'select=count,min(temp_c),sum(pcp1h_in)&by=year,season',
  'select=count&by=wind_sector(12)&filter=temp_c < 10',
];

/** The clock of a zone at a time, by ICU. */
function localTime(zone: string, time: number): number {
  const format = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
}

/** When a day begins: the first quarter of an hour after the last one of an earlier date. */
function beginOf(day: string, local: (time: number) => number): string {
  const midnight = Date.parse(day);
  let time = midnight + DAY;
  while (local(time - QUARTER) >= midnight) time -= QUARTER;
  return new Date(time).toISOString();
}

describe('days of a time zone in statistics (D63)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  before(async () => {
    const reports = randomReports(seededRandom(63));
    await insert(archive.client, ...reports.map((each) => put(each, 0x1_0000)));
    await describeStations(
      archive.client,
      STATIONS.map((station) => ({ source: 'iem', station, timezone: ZONES[station][0] })),
    );
  });

  const rowsOf = async (query: string) => {
    const text = (await api.bytes(`/v1/history/statistics?${query}`)).toString();
    // Sums of the same numbers in another order differ in their last digits.
    return JSON.parse(text, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(12)) : value))
      .data as readonly object[];
  };
  const localOf = (station: Station, tz: string) => (time: number) =>
    tz === 'standard'
      ? time + standardShift(ZONES[station][0]) * 1000
      : localTime(tz === 'local' ? ZONES[station][0] : tz, time);

  it('are the times in which each station has them', async () => {
    const random = seededRandom(64);
    const some = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
    for (let n = 0; n < repetitions({ usual: 4, long: 200 }); n += 1) {
      const [from, to] = some(RANGES);
      const question = some(QUESTIONS);
      const tz = some(['local', 'standard', 'America/St_Johns', 'Pacific/Chatham']);
      const days = await rowsOf(`stations=${STATIONS}&from=${from}&to=${to}&tz=${tz}&${question}`);
      const times: object[] = [];
      for (const station of STATIONS.toSorted()) {
        const [begin, end] = [from, to].map((day) => beginOf(day, localOf(station, tz)));
        times.push(...(await rowsOf(`stations=${station}&from=${begin}&to=${end}&tz=${tz}&${question}`)));
      }
      assert.deepEqual(days, times, `${from} ${to} ${tz} ${question}`);
    }
  }).timeout(300_000);
});
