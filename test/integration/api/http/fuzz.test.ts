import assert from 'node:assert/strict';
import fc from 'fast-check';
import { writeCursor } from '../../../../api/contract/cursor.ts';
import { parametersOf } from '../../../../api/contract/parameters.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import { OBSERVATIONS as ENDPOINT } from '../../../../api/observations/endpoint.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';
import { OBSERVATIONS, startApiWithReports, type TestApi } from '../../../support/api/api.ts';
import { fuzz } from '../../../support/api/fuzz.ts';
import { assertCommonHeaders, assertProblem } from '../../../support/api/problem.ts';
import { useApi } from '../../../support/api/use-api.ts';
import { report } from '../../../support/archive/archive.ts';
import { repetitions } from '../../../support/repetitions.ts';

const SEEDS = repetitions({ usual: 4, long: 100 });
const REQUESTS_PER_SEED = 100;

/** Valid and invalid values close to the limit between them. */
const EDGE_VALUES = parametersOf(ENDPOINT.parameters)
  .filter(({ name }) => name !== 'cursor')
  .map(({ name, valid, invalid }) => [name, [...valid, ...invalid]] as const);

describe('random query strings', () => {
  let api: TestApi;
  before(async () => {
    api = await startApiWithReports(
      Array.from({ length: 20 }, (_, day) => report({ at: `2024-01-${day + 10}T00:00:00Z` })),
    );
  });
  after(() => api.stop());

  const query = fc
    .tuple(
      ...EDGE_VALUES.map(([name, values]) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof(
            { weight: 9, arbitrary: fc.constantFrom(...values) },
            { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
          ),
        ),
      ),
      fc.tuple(fc.constantFrom('cursor', 'x', 'limit', '__proto__'), fc.string()),
    )
    .chain((pairs) => fc.shuffledSubarray(pairs, { minLength: 2 }))
    .map((pairs) => new URLSearchParams(pairs).toString());

  it('get a page or a problem with status 400', async () => {
    let key = await api.createKey();
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        requests += 1;
        if (requests % 50 === 0) key = await api.createKey();
        const response = await api.get(`${OBSERVATIONS}?${text}`, { key });
        if (response.status !== 200) {
          const { code } = (await response.clone().json()) as { code: string };
          await assertProblem(response, 400, code);
          return;
        }
        assertCommonHeaders(response);
        const { data, meta } = (await response.json()) as {
          data: unknown[];
          meta: { hasMore: boolean; nextCursor?: string };
        };
        assert.ok(data.length <= 20);
        assert.equal('nextCursor' in meta, meta.hasMore);
      }),
      { numRuns: repetitions({ usual: 150, long: 3000 }) },
    );
  });

  it('get a page or a problem with status 400 for a cursor with any position and a valid checksum', async () => {
    const query = 'stations=XAAA,AAAA&from=0000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z';
    const parsed = readQuery(ENDPOINT, query);
    const position: fc.Arbitrary<Position> = fc.record({
      observedAt: fc.integer({ min: 0, max: 0xffffffff }),
      station: fc.constantFrom('AAAA', 'XAAA', 'Z999'),
      type: fc.constantFrom('METAR', 'SPECI'),
      fingerprint: fc.constantFrom('00000000', 'ffffffff', '80000000'),
    });
    const key = await api.createKey();
    await fc.assert(
      fc.asyncProperty(position, async (at) => {
        const response = await api.get(`${OBSERVATIONS}?${query}&cursor=${writeCursor(at, parsed)}`, {
          key,
        });
        if (response.status !== 200) await assertProblem(response, 400, 'invalid_cursor');
      }),
      { numRuns: 60 },
    );
  });
});

describe('random requests', () => {
  const api = useApi(() => startApiWithReports([report({ at: '2024-01-10T00:00:00Z' })]));

  it(`get an answer below 500 with the common headers and no internal word (seeds 1 to ${SEEDS})`, async () => {
    const statuses = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const result = await fuzz(api.url, () => api.createKey(), seed, REQUESTS_PER_SEED);
      assert.deepEqual(result.faults, []);
      for (const status of result.statuses.keys()) statuses.add(status);
    }
    // The requests reach every stage of the service.
    for (const status of ['200', '400', '401', '404', '405']) assert.ok(statuses.has(status), status);
  }).timeout(600_000);
});
