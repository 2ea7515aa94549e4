import assert from 'node:assert/strict';
import { nameStations } from '../../../../api/answers/area.ts';
import { openResponseCache } from '../../../../api/answers/memory.ts';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import { OBSERVATIONS as OBSERVATIONS_ENDPOINT } from '../../../../api/observations/endpoint.ts';
import type { ArchiveQueries } from '../../../../api/ops/query-limits.ts';
import type { QueuedRequest } from '../../../../api/ops/request-queue.ts';
import type { CoverageStateCache } from '../../../../clickhouse/coverage/state-cache.ts';
import type { StationDescription } from '../../../../clickhouse/stations.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { describeStations, insert, put, report } from '../../../support/archive/archive.ts';
import { readCsv } from '../../../support/archive/flat-records.ts';

const RANGE = 'from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z';
const ENDPOINTS = {
  observations: `${OBSERVATIONS}?${RANGE}`,
  hourly: `/v1/history/hourly?${RANGE}`,
  statistics: `/v1/history/statistics?${RANGE}&select=count`,
} as const;

/** West to east along the equator, one degree apart; those with an even number are in Gabon. */
const DESCRIPTIONS = Array.from(
  { length: 6 },
  (_, n): StationDescription => ({
    source: 'iem',
    station: `XE0${n}`,
    country: n % 2 === 0 ? 'GA' : 'KE',
    position: { latitude: 0, longitude: 10 + n },
  }),
);

describe('stations by area in place of codes', () => {
  const reports = DESCRIPTIONS.flatMap(({ station }) =>
    Array.from({ length: 4 }, (_, hour) => report({ at: `2024-01-01T0${hour}:00:00Z`, station })),
  );
  const api = useApi(() => startApiWithReports(reports));
  before(() => describeStations(api.archive, DESCRIPTIONS));

  const read = (target: string) => api.json<ObservationsPage>(target);
  const covered = ({ meta }: ObservationsPage) => meta.coverage.stations.map(({ station }) => station);
  const stationsOf = ({ data }: ObservationsPage) => [...new Set(data.map(({ station }) => station))].sort();

  for (const [name, target] of Object.entries(ENDPOINTS))
    it(`are those that meet all of it, and coverage names them: ${name}`, async () => {
      for (const [area, expected] of [
        ['country=GA', ['XE00', 'XE02', 'XE04']],
        ['bbox=11.5,-1,14.5,1', ['XE02', 'XE03', 'XE04']],
        ['bbox=11.5,-1,14.5,1&country=KE', ['XE03']],
        ['near=0,13.1&radius_km=130', ['XE03', 'XE04', 'XE02']],
        ['near=0,13', ['XE03']],
      ] as const) {
        const answer = await read(`${target}&${area}`);
        assert.deepEqual(covered(answer), expected, area);
        assert.deepEqual(stationsOf(answer), expected.toSorted(), area);
        const named = await read(`${target}&stations=${expected.join()}`);
        assert.deepEqual([answer.data, answer.meta.coverage], [named.data, named.meta.coverage], area);
      }
    });

  it('are the nearest that have reports in the range, with nearest (D81)', async () => {
    await insert(api.archive, put(report({ at: '2023-06-01T00:00:00Z', station: 'XE02' })));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const range = (from: string, to: string) => `${OBSERVATIONS}?from=${from}&to=${to}&near=0,12.9`;
    for (const [query, expected] of [
      [`${range('2024-01-01', '2024-01-02')}&nearest=2`, ['XE03', 'XE02']],
      [`${range('2024-01-01', '2024-01-02')}&nearest=2&radius_km=50`, ['XE03']],
      [`${range('2024-01-01', '2024-01-02')}&nearest=9`, ['XE03', 'XE02', 'XE04', 'XE01', 'XE05', 'XE00']],
      [`${range('2023-01-01', '2023-12-31')}&nearest=2`, ['XE02']],
      [`${range('2023-01-01', '2025-01-01')}&nearest=2&country=GA`, ['XE02', 'XE04']],
    ] as const)
      assert.deepEqual(covered(await read(query)), expected, query);
    const none = await api.refusal(`${range('2020-01-01', '2020-02-01')}&nearest=2`);
    assert.match(none, /^nearest finds no station with reports in the range/);
    const daily = await read(`/v1/history/hourly?${RANGE}&near=0,12.9&nearest=1`);
    assert.deepEqual(covered(daily), ['XE03']);
  });

  it('are walked as codes are, and a cursor is bound to the area', async () => {
    for (const target of [ENDPOINTS.observations, ENDPOINTS.hourly]) {
      const whole = await read(`${target}&country=GA`);
      assert.deepEqual(await api.walk(`${target}&country=GA&limit=5`), whole.data);
      const { meta } = await read(`${target}&country=GA&limit=5`);
      const other = await api.get(`${target}&country=KE&limit=5&cursor=${meta.nextCursor}`);
      await assertProblem(other, 400, 'cursor_mismatch');
    }
  });

  it('are in streams too, whose link to the coverage names them', async () => {
    for (const target of Object.values(ENDPOINTS)) {
      const response = await api.get(`${target.replace('?', '.csv?')}&country=GA`);
      const rows = readCsv(Buffer.from(await response.arrayBuffer()));
      assert.deepEqual([...new Set(rows.map(({ station }) => station))].sort(), ['XE00', 'XE02', 'XE04']);
      const [, covered = ''] = /<([^>]+)>; rel="describedby"/.exec(response.headers.get('link') ?? '') ?? [];
      assert.deepEqual(
        (await read(covered)).data.map(({ station }) => station),
        ['XE00', 'XE02', 'XE04'],
      );
    }
  });

  it('are refused together with codes, or with none or too many stations, and so is a request with neither', async () => {
    for (const [area, parameter, detail] of [
      ['', 'stations', 'is required: .* or in its place country, bbox, or near$'],
      ['stations=XE00&country=GA', 'country', 'by their area: send it or stations, not both'],
      ['country=ga', 'country', 'two uppercase letters'],
      ['country=XX', 'country', 'matches no station that the archive knows: see /v1/history/stations'],
      ['near=0,10&radius_km=0', 'radius_km', 'from 1 to 1,000'],
      ['country=GA&radius_km=5', 'radius_km', 'write near=LAT,LON too'],
      ['country=GA&nearest=5', 'nearest', 'write near=LAT,LON too'],
    ] as const)
      for (const target of Object.values(ENDPOINTS)) {
        const said = (await api.refusal(`${target}&${area}`)).split('\n');
        assert.equal(said.length, 1, area);
        assert.match(said[0] ?? '', new RegExp(`^${parameter} .*${detail}`));
      }
  });

  it('are read once a minute, also where they are refused', async () => {
    for (const found of [0, 1, 1000, 1001]) {
      let reads = 0;
      const runQuery = async () => {
        reads += 1;
        return Array.from({ length: found }, (_, n) => `Y${n}`);
      };
      const queries = { runQuery } as unknown as ArchiveQueries;
      const context = { queries, cache: openResponseCache(1_000_000), states: {} as CoverageStateCache };
      const query = readQuery(OBSERVATIONS_ENDPOINT, `${RANGE}&country=GA`);
      const ask = () =>
        nameStations(context, query, {} as QueuedRequest).then(
          () => 200,
          ({ status }) => status,
        );
      const status = found === 0 || found > 1000 ? 400 : 200;
      assert.deepEqual([await ask(), await ask(), reads], [status, status, 1], `${found}`);
    }
  });
});
