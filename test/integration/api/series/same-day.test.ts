import assert from 'node:assert/strict';
import { decode } from '../../../../loader/decode.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { describeStations, insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';
import { randomReports, STATIONS, ZONES } from '../../../support/statistics/random-reports.ts';

const DAY = 86_400_000;
/** More than are computed at once. */
const SILENT = Array.from({ length: 150 }, (_, n) => `Z${n + 100}`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

describe('a record of a day is the same (D75)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));

  async function daily(stations: readonly string[], from: number, days: number, tz: string) {
    const range = `from=${dayOf(from)}&to=${dayOf(from + days * DAY)}`;
    const rows = await api.rows(`/v1/history/daily?stations=${stations}&${range}&tz=${tz}&limit=10000`);
    return new Map(rows.map((row) => [`${row.station} ${row.date}`, row]));
  }

  it('where the reports of other days of its month say that the gauge works', async () => {
    const raws = Array.from({ length: 48 }, (_, hour) => {
      const at = new Date(Date.UTC(2024, 4, 1, hour, 51)).toISOString();
      const raw = `KXAB ${at.slice(8, 10)}${at.slice(11, 13)}51Z 10SM CLR 10/05 A3000${hour < 24 ? ' RMK AO2' : ''}`;
      return put(report({ station: 'KXAB', at, raw, decoded: decode(raw).fields }));
    });
    await insert(archive.client, ...raws);
    const second = Date.UTC(2024, 4, 2);
    for (const [from, days] of [
      [second, 1],
      [Date.UTC(2024, 4, 1), 2],
      [Date.UTC(2024, 4, 1), 31],
      [Date.UTC(2024, 0, 1), 366],
    ] as const)
      assert.equal((await daily(['KXAB'], from, days, 'utc')).get('KXAB 2024-05-02')?.precip_in, 0);
  });

  for (const seed of seeds(10))
    it(`asked alone, among stations without reports, in its month and in its year, seed ${seed}`, async () => {
      const random = seededRandom(seed);
      await insert(archive.client, ...randomReports(random).map((each) => put(each)));
      const tz = ['utc', 'standard'][seed % 2] as string;
      await describeStations(
        archive.client,
        STATIONS.map((station) => ({ source: 'iem', station, timezone: ZONES[station][0] })),
      );
      const ofYear = await daily(STATIONS, Date.UTC(2024, 0, 1), 366, tz);
      const dates = [...ofYear.values()].flatMap(({ n, date }) => (n === 0 ? [] : [String(date)]));
      for (let n = 0; n < repetitions({ usual: 6, long: 60 }); n += 1) {
        const date = new Date(dates[Math.floor(random() * dates.length)] as string);
        const day = date.getTime();
        const month = Date.UTC(2024, date.getUTCMonth());
        const days = new Date(Date.UTC(2024, date.getUTCMonth() + 1, 0)).getUTCDate();
        const [alone, ofMany, ofMonth, ofWeek] = [
          await daily(STATIONS, day, 1, tz),
          await daily(n === 0 ? [...SILENT, ...STATIONS] : STATIONS, day, 1, tz),
          await daily(STATIONS, month, days, tz),
          await daily(STATIONS, day - 3 * DAY, 7, tz),
        ];
        for (const station of STATIONS) {
          const key = `${station} ${dayOf(day)}`;
          for (const other of [alone, ofMany, ofMonth, ofWeek])
            assert.deepEqual(other.get(key), ofYear.get(key), key);
        }
      }
    }).timeout(120_000);
});
