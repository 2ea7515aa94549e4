import assert from 'node:assert/strict';
import { AREA_NAMES, PARAMETERS, type Parameter, parametersOf } from '../../../../api/contract/parameters.ts';
import { OBSERVATIONS } from '../../../../api/observations/endpoint.ts';
import { startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';

const BASE: Readonly<Record<string, string>> = {
  stations: 'XAAA',
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-01T04:00:00Z',
};
const RECORDS = { ...BASE, type: 'all', include: 'raw,decoded' };

/** A filter that is added to the table and nowhere else. */
const LAST = {
  purpose: 'Last character of the report',
  description: 'a digit, as in 3',
  schema: { type: 'string', pattern: '^\\d$' },
  condition: "raw LIKE '%$value'",
} as const satisfies Parameter;
const rows = PARAMETERS as Record<string, Parameter>;

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
  last: '2',
};

type Body = {
  readonly data: readonly { readonly raw?: string; readonly n?: number }[];
  readonly meta: { readonly nextCursor?: string };
  readonly code?: string;
  readonly errors?: readonly { readonly parameter: string }[];
};

describe('filters of reports', () => {
  let api: TestApi;
  before(async () => {
    rows.last = LAST;
    const reports = [0, 1, 2, 3].flatMap((hour) =>
      ['XAAA', 'XAAB'].flatMap((station) =>
        (['METAR', 'SPECI'] as const).map((type) =>
          report({ at: `2024-01-01T0${hour}:00:00Z`, station, type, raw: `${type} ${station} ${hour}` }),
        ),
      ),
    );
    api = await startApiWithReports(reports);
  });
  after(async () => {
    delete rows.last;
    await api.stop();
  });

  const request = (endpoint: string, query: Readonly<Record<string, string>>) =>
    api.get(`/v1/history/${endpoint}?${new URLSearchParams(query)}`);
  const bodyOf = async (query: Readonly<Record<string, string>>, endpoint = 'observations') =>
    (await (await request(endpoint, query)).json()) as Body;

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
      const { data } = await bodyOf(RECORDS);
      assert.notDeepEqual((await bodyOf(changed)).data, data);
      assert.deepEqual((await bodyOf(RECORDS)).data, data, 'the page in memory');
      const streamOf = async (query: typeof BASE) => (await request('observations.csv', query)).text();
      assert.notEqual(await streamOf(changed), await streamOf(RECORDS));

      const { meta } = await bodyOf({ ...RECORDS, limit: '1' });
      const refused = await bodyOf({ ...changed, cursor: meta.nextCursor ?? '' });
      assert.equal(refused.code, 'cursor_mismatch');
    });

  it('select the records of a walk, next to the condition of `filter`', async () => {
    const query = { ...BASE, last: '2', filter: "type = 'METAR' OR raw LIKE '%2'", limit: '1' };
    const records = await api.walk(`/v1/history/observations?${new URLSearchParams(query)}`);
    assert.deepEqual(
      records.map(({ raw }) => raw),
      ['METAR XAAA 2', 'SPECI XAAA 2'],
    );
  });

  it('select the reports of hours and of statistics', async () => {
    const { data: hours } = await bodyOf({ ...BASE, last: '3' }, 'hourly');
    assert.equal(hours.length, 1);
    const { data } = await bodyOf({ ...BASE, last: '0', select: 'count', sample: 'all' }, 'statistics');
    assert.deepEqual(
      data.map(({ n }) => n),
      [2],
    );
  });

  it('are checked together with other parameters', async () => {
    const { errors } = await bodyOf({ ...BASE, last: 'x', limit: '0' });
    assert.deepEqual(
      errors?.map(({ parameter }) => parameter),
      ['limit', 'last'],
    );
  });
});
