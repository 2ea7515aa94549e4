import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Filters } from '../../../../api/observations/filters.ts';
import { OBSERVATIONS, startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';

const BASE = {
  stations: 'XAAA',
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-01T04:00:00Z',
  type: 'all',
  include: 'raw,decoded',
} as const satisfies { readonly [Name in keyof Filters]?: string };

/** Another value of each filter. */
const CHANGES: { readonly [Name in keyof Filters]-?: string } = {
  stations: 'XAAA,XAAB',
  from: '2024-01-01T01:00:00Z',
  to: '2024-01-01T03:00:00Z',
  type: 'metar',
  include: 'decoded',
  fields: 'temp_c',
  filter: "raw LIKE '%1' OR raw LIKE '%2'",
};

describe('filters of observations', () => {
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

  const request = (filters: Readonly<Record<string, string>>, extension = '') =>
    api.get(`${OBSERVATIONS}${extension}?${new URLSearchParams(filters)}`);
  const bodyOf = async (filters: Readonly<Record<string, string>>) =>
    (await (await request(filters)).json()) as {
      data: unknown;
      meta: { nextCursor: string };
      code?: string;
    };

  for (const [name, value] of Object.entries(CHANGES))
    it(`give another answer and refuse the cursor of another walk: ${name}`, async () => {
      const changed = { ...BASE, [name]: value };
      const { data } = await bodyOf(BASE);
      assert.notDeepEqual((await bodyOf(changed)).data, data);
      assert.deepEqual((await bodyOf(BASE)).data, data, 'the page in memory');
      const streamOf = async (filters: typeof BASE) => (await request(filters, '.csv')).text();
      assert.notEqual(await streamOf(changed), await streamOf(BASE));

      const { meta } = await bodyOf({ ...BASE, limit: '1' });
      const refused = await bodyOf({ ...changed, cursor: meta.nextCursor });
      assert.equal(refused.code, 'cursor_mismatch');
    });
});
