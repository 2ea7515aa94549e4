import assert from 'node:assert/strict';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { AREA_NAMES, parametersOf } from '../../../../api/contract/parameters.ts';
import { OBSERVATIONS } from '../../../../api/observations/endpoint.ts';
import { startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { report } from '../../../support/archive/archive.ts';

const BASE: Readonly<Record<string, string>> = {
  stations: 'XAAA',
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-01T04:00:00Z',
};
const RECORDS = { ...BASE, type: 'all', include: 'raw,decoded' };

/** Another value of each filter. */
const CHANGES: Readonly<Record<string, string>> = {
  stations: 'XAAA,XAAB',
  from: '2024-01-01T01:00:00Z',
  to: '2024-01-01T03:00:00Z',
  type: 'metar',
  include: 'decoded',
  fields: 'temp_c',
  filter: "raw LIKE '%1' OR raw LIKE '%2'",
  order: 'desc',
};

describe('filters of reports', () => {
  let api: TestApi;
  before(async () => {
    const reports = [0, 1, 2, 3].flatMap((hour) =>
      ['XAAA', 'XAAB'].flatMap((station) =>
        (['METAR', 'SPECI'] as const).map((type) =>
          report({ at: `2024-01-01T0${hour}:00:00Z`, station, type, raw: `${type} ${station} ${hour}` }),
        ),
      ),
    );
    api = await startApiWithReports(reports);
  });
  after(() => api.stop());

  const target = (query: Readonly<Record<string, string>>, endpoint = 'observations') =>
    `/v1/history/${endpoint}?${new URLSearchParams(query)}`;
  const rowsOf = (query: Readonly<Record<string, string>>) => api.rows(target(query));

  it('are all tried here', () => {
    const filters = parametersOf(OBSERVATIONS.parameters).filter(({ isPaging }) => !isPaging);
    // Those that take the place of codes are in `answers/area.test.ts`, that of times in `times.test.ts`.
    const others: readonly string[] = [...AREA_NAMES, 'radius_km', 'nearest', 'hours'];
    const names = filters.map(({ name }) => name).filter((name) => !others.includes(name));
    assert.deepEqual(names.sort(), Object.keys(CHANGES).sort());
  });

  for (const [name, value] of Object.entries(CHANGES))
    it(`give another answer and refuse the cursor of another walk: ${name}`, async () => {
      const changed = { ...RECORDS, [name]: value };
      const before = await rowsOf(RECORDS);
      assert.notDeepEqual(await rowsOf(changed), before);
      assert.deepEqual(await rowsOf(RECORDS), before, 'the page in memory');
      const [one, other] = [RECORDS, changed].map((query) => api.bytes(target(query, 'observations.csv')));
      assert.notDeepEqual(await one, await other);

      const { meta } = await api.json<ObservationsPage>(target({ ...RECORDS, limit: '1' }));
      const refused = await api.get(target({ ...changed, cursor: meta.nextCursor ?? '' }));
      await assertProblem(refused, 400, 'cursor_mismatch');
    });

  it('select the records of a walk to its end (D11)', async () => {
    const query = { ...BASE, filter: "raw LIKE '%2'", limit: '1' };
    assert.deepEqual(
      (await api.walk(target(query))).map(({ raw }) => raw),
      ['METAR XAAA 2', 'SPECI XAAA 2'],
    );
  });
});
