import assert from 'node:assert/strict';
import type { PartialDecoded } from '../../../../clickhouse/model/fields.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';

type Row = Readonly<Record<string, unknown>>;

/** METARs of 1 to 4 March, of 10 °C, at minute 51 of these hours in UTC. */
const HOURS: Readonly<Record<string, (date: string, hour: number) => boolean>> = {
  XALL: () => true,
  XSYN: (_, hour) => hour % 6 === 5,
  XDAY: (_, hour) => hour >= 5 && hour <= 19,
  // Missing: 21 to 3 o'clock, over midnight.
  XGAP: (date, hour) => !((date === '2024-03-02' && hour >= 21) || (date === '2024-03-03' && hour <= 3)),
  // Six hours.
  XSIX: (date, hour) => !((date === '2024-03-02' && hour >= 21) || (date === '2024-03-03' && hour <= 2)),
};
const DATES = ['2024-03-01', '2024-03-02', '2024-03-03', '2024-03-04'];

describe('complete days (D59)', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));
  before(async () => {
    const reports = Object.entries(HOURS).flatMap(([station, isThere]) =>
      DATES.flatMap((date) =>
        Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour) => {
          if (!isThere(date, hour)) return [];
          const at = `${date}T${String(hour).padStart(2, '0')}:51:00Z`;
          const weather = hour === 11 ? { wx: 'SN', pcp1h_in: 0.01 } : {};
          const decoded: PartialDecoded = { cavok: false, temp_c: '10', wspd_kt: 5, ...weather };
          return [put(report({ station, at, raw: `${station} ${at}`, decoded }))];
        }),
      ),
    );
    await insert(archive.client, ...reports);
  });

  async function answer(query: string) {
    const response = await api.get(`/v1/history/statistics?${query}`);
    return {
      status: response.status,
      ...(JSON.parse(await response.text()) as { data: readonly Row[]; meta: Row }),
    };
  }
  const RANGE = 'from=2024-03-02T00:00:00Z&to=2024-03-04T00:00:00Z';
  const meansOf = async (station: string, more = '') => {
    const { data } = await answer(`stations=${station}&${RANGE}&preset=daily&tz=utc${more}`);
    return data.map(({ mean_temp_c, min_temp_c }) => [mean_temp_c, min_temp_c]);
  };
  const [known, unknown] = [
    [10, 10],
    [undefined, undefined],
  ];

  it('have a report of each hour, or of the four main hours', async () => {
    assert.deepEqual(await meansOf('XALL'), [known, known]);
    assert.deepEqual(await meansOf('XSYN'), [known, known]);
  });

  it('are none of an aerodrome that is closed at night', async () => {
    assert.deepEqual(await meansOf('XDAY'), [unknown, unknown]);
  });

  it('are touched by no run of seven hours, which counts on both days, and may have one of six', async () => {
    assert.deepEqual(await meansOf('XGAP'), [unknown, unknown]);
    assert.deepEqual(await meansOf('XSIX'), [known, known]);
  });

  it('are judged by reports before and after the range, also with a filter', async () => {
    const first = await answer(
      `stations=XGAP&from=2024-03-03T04:00:00Z&to=2024-03-03T05:00:00Z&preset=daily&tz=utc`,
    );
    assert.deepEqual(
      first.data.map((row) => [row.n, row.mean_temp_c]),
      [[1, undefined]],
    );
    const last = await answer(
      `stations=XALL&from=2024-03-03T04:00:00Z&to=2024-03-03T05:00:00Z&preset=daily&tz=utc`,
    );
    assert.deepEqual(
      last.data.map((row) => [row.n, row.mean_temp_c]),
      [[1, 10]],
    );
    assert.deepEqual(await meansOf('XALL', '&filter=snow = TRUE'), [known, known]);
    const edge = await answer(
      'stations=XALL&from=2024-02-29T00:00:00Z&to=2024-03-06T00:00:00Z&preset=daily&tz=utc',
    );
    assert.deepEqual(
      edge.data.map(({ mean_temp_c }) => mean_temp_c),
      [undefined, 10, 10, 10, 10, undefined],
    );
  });

  it('others keep amounts and weather that was seen, and know of no weather that was not there', async () => {
    const { data } = await answer(`stations=XDAY&${RANGE}&preset=daily&tz=utc`);
    const row = { station: 'XDAY', n: 15, expected: 24, precip_in: 0.01, snow: 1 };
    assert.deepEqual(data, [
      { ...row, date: '2024-03-02' },
      { ...row, date: '2024-03-03' },
    ]);
  });

  it('make the values of a mean year, except of amounts', async () => {
    const { data } = await answer('stations=XDAY&from=2024-03-01&to=2024-04-01&preset=normals&tz=utc');
    assert.deepEqual([data[0]?.n, data[0]?.mean_temp_c, data[0]?.min_temp_c], [60, undefined, undefined]);
  });

  it('are no matter of a question that does not ask for them', async () => {
    const { data } = await answer(`stations=XDAY&${RANGE}&select=mean(temp_c)&by=date`);
    assert.deepEqual(
      data.map(({ mean_temp_c }) => mean_temp_c),
      [10, 10],
    );
    const { meta } = await answer(`stations=XDAY&${RANGE}&preset=daily&tz=utc`);
    const { select, by, sample, days } = meta.expanded as Readonly<Record<string, string>>;
    assert.equal(days, 'complete');
    const asked = new URLSearchParams({ select, by, sample, days } as Record<string, string>);
    const changed = await answer(`stations=XDAY&${RANGE}&${asked}`);
    assert.deepEqual(changed.data[0], (await answer(`stations=XDAY&${RANGE}&preset=daily&tz=utc`)).data[0]);
  });

  it('are refused in rows of more or less than a day', async () => {
    for (const by of ['&by=month', '&by=date,hour', '']) {
      const response = await api.get(
        `/v1/history/statistics?stations=XDAY&${RANGE}&select=mean(temp_c)&days=complete${by}`,
      );
      assert.equal(response.status, 400);
      assert.match(await response.text(), /write by=date alone, or leave days out/);
    }
  });
});
