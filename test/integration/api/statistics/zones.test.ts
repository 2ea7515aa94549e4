import assert from 'node:assert/strict';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import {
  archiveOnOwnEngine,
  describeStations,
  insert,
  put,
  report,
  type TestArchive,
} from '../../../support/archive/archive.ts';
import { describeLong } from '../../../support/long.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
/** Each would take 4.6 MB: together far more than `MOST_GROWTH_MB`. */
const SOME = ZONES.filter((_, n) => n % 8 === 0);
const STATIONS = ZONES.map((_, n) => `X${String(n).padStart(3, '0')}`);
const STATISTICS = '/v1/history/statistics?select=count&sample=all&';
const DAY = 'from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
const YEARS = 'from=2005-01-01T00:00:00Z&to=2026-01-01T00:00:00Z';
/** Each station has a range of its own. */
const LOCAL_DAYS = 'from=2024-01-01&to=2024-01-03';
const NOON = '2024-01-01T12:00:00Z';
const MOST_GROWTH_MB = 100;

describeLong('statistics in every time zone', () => {
  let archive: TestArchive;
  before(async () => {
    archive = await archiveOnOwnEngine();
    await insert(archive.client, ...STATIONS.map((station) => put(report({ station, at: NOON }))));
    await describeStations(
      archive.client,
      STATIONS.map((station, n) => ({ source: 'iem', station, timezone: ZONES[n] as string })),
    );
  });
  after(() => archive.close());
  const api = useApi(() => startApi(archive.client));

  /** What the engine counts against its limit. */
  async function megabytes(): Promise<number> {
    const query = "SELECT value FROM system.metrics WHERE metric = 'MemoryTracking'";
    const [row] = await selectRows<{ value: string }>(archive.client, { query });
    return Number(row?.value) / 1e6;
  }

  const hoursOf = async (query: string) => {
    const rows = await api.rows<{ station: string; hour: number; n: number }>(STATISTICS + query);
    return rows.filter(({ n }) => n > 0).map(({ station, hour }) => [station, hour]);
  };
  const localHour = (timeZone: string, time: string) =>
    Number(
      new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(Date.parse(time)),
    );

  async function assertNoGrowth(ask: () => Promise<void>): Promise<void> {
    await hoursOf(`stations=X000&${DAY}&by=hour&tz=America/New_York`);
    const before = await megabytes();
    await ask();
    const grown = (await megabytes()) - before;
    assert.ok(grown < MOST_GROWTH_MB, `the engine grew by ${Math.round(grown)} MB`);
  }

  it('leave no memory in the engine, asked one after another', () =>
    assertNoGrowth(async () => {
      for (const zone of SOME)
        assert.deepEqual(
          await hoursOf(`stations=X000&${DAY}&by=hour&tz=${zone}`),
          [['X000', localHour(zone, NOON)]],
          zone,
        );
    }));

  for (const [tz, range] of [
    ['local', DAY],
    ['standard', DAY],
    ['local', YEARS],
    ['local', LOCAL_DAYS],
  ] as const)
    it(`leave no memory in the engine, asked at once in ${tz} time for ${range}`, () =>
      assertNoGrowth(async () => {
        const hours = await hoursOf(`stations=${STATIONS}&${range}&by=hour&tz=${tz}`);
        const local = STATIONS.map((station, n) => [station, localHour(ZONES[n] as string, NOON)]);
        if (tz === 'local') assert.deepEqual(hours, local);
        else assert.equal(hours.length, STATIONS.length);
      }));
});
