import assert from 'node:assert/strict';
import type { StationDescription } from '../../../../clickhouse/stations.ts';
import { startApiWithReports, useApi } from '../../../support/api/api.ts';
import { assertCommonHeaders, assertProblem } from '../../../support/api/problem.ts';
import { describeStations, report } from '../../../support/archive/archive.ts';
import { day, list } from '../../../support/archive/ledger.ts';

const STATIONS = '/v1/history/stations';

type Station = { readonly station: string } & Readonly<Record<string, unknown>>;
type Body = { data: Station[]; meta: { hasMore: boolean; nextCursor?: string; rateLimit: object } };

/** Fifty stations along the 60th parallel, one every 7.2 degrees. */
const DESCRIPTIONS = Array.from(
  { length: 50 },
  (_, n): StationDescription => ({
    source: 'iem',
    station: `XB${String(n).padStart(2, '0')}`,
    name: `Parallel ${n}`,
    country: n % 2 === 0 ? 'NO' : 'CA',
    position: { latitude: 60, longitude: -180 + n * 7.2 },
    elevation_m: n,
  }),
);

describe('GET /v1/history/stations (D35)', () => {
  const reports = ['2023-12-31T23:30:00Z', '2024-01-01T00:00:00Z', '2024-06-01T12:00:00Z'].map((at) =>
    report({ at, station: 'XB03' }),
  );
  const other = report({ station: 'XAAF', at: '2024-01-01T00:00:00Z' });
  const api = useApi(() => startApiWithReports([...reports, other]));
  before(async () => {
    await describeStations(api.archive, DESCRIPTIONS);
    await list(
      api.archive,
      { station: 'XB03', firstDay: day('2023-12-30') },
      { station: 'XB03', source: 'ogimet', firstDay: day('2023-01-01'), lastDay: day('2024-01-01') },
      { station: 'XAAE' },
    );
  });

  const get = (query: string) => api.json<Body>(`${STATIONS}?${query}`);
  const codes = async (query: string) => (await get(query)).data.map(({ station }) => station);

  /** The pages of a walk by the links to each next one. */
  async function walkByLinks(first: string) {
    const pages: { readonly headers: Headers; readonly body: Body }[] = [];
    for (let target: string | undefined = first; target !== undefined; ) {
      const response = await api.get(target);
      const { headers } = response;
      pages.push({ headers, body: (await response.json()) as Body });
      target = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    return pages;
  }

  it('has what the archive knows of each station, and lacks the rest', async () => {
    const { data, meta } = await get('stations=XB03,XAAE,XAAF,XZZZ');
    assert.deepEqual(data, [
      { station: 'XAAE' },
      { station: 'XAAF', firstReport: '2024-01-01T00:00:00Z', lastReport: '2024-01-01T00:00:00Z' },
      {
        station: 'XB03',
        name: 'Parallel 3',
        country: 'CA',
        latitude: 60,
        longitude: -158.4,
        elevation_m: 3,
        timezone: 'America/Anchorage',
        periodOfRecord: { firstDay: '2023-01-01' },
        firstReport: '2023-12-31T23:30:00Z',
        lastReport: '2024-06-01T12:00:00Z',
      },
    ]);
    assert.equal(meta.hasMore, false);
    assert.deepEqual(Object.keys(meta), ['hasMore', 'rateLimit']);
  });

  it('filters by country, bounding box and text', async () => {
    assert.equal((await codes('country=NO')).length, 25);
    assert.deepEqual(await codes('country=DE'), []);
    assert.deepEqual(
      await codes('q=xb1'),
      Array.from({ length: 10 }, (_, n) => `XB1${n}`),
    );
    assert.deepEqual(await codes('q=PARALLEL%204&country=CA'), ['XB41', 'XB43', 'XB45', 'XB47', 'XB49']);
    assert.deepEqual(await codes('bbox=0,59,20,61'), ['XB25', 'XB26', 'XB27']);
    assert.deepEqual(await codes('bbox=160,59,-170,61'), ['XB00', 'XB01', 'XB48', 'XB49']);
  });

  it('finds the last letters of a code, words that are not neighbors, and letters without their accents', async () => {
    const names = { XQYV: 'Åse International Airport', XQMT: 'Montréal/Łódź', XQZZ: 'Straße Ærø' };
    await describeStations(
      api.archive,
      Object.entries(names).map(([station, name]) => ({ source: 'iem', station, name })),
    );
    for (const [text, expected] of [
      ['qyv', ['XQYV']],
      ['xq airport', ['XQYV']],
      ['ase harbour', []],
      ['montre\u0301al lodz', ['XQMT']],
      ['strasse aero', ['XQZZ']],
    ] as const)
      assert.deepEqual(await codes(`q=${encodeURIComponent(text)}`), expected, text);
  });

  it('is in the order of the distances from a point, walked by the links to each next page (D48)', async () => {
    const query = 'near=60,178&radius_km=1000&country=NO';
    const { data } = await get(query);
    assert.deepEqual(
      data.map(({ station, distance_km }) => `${station} ${distance_km}`),
      ['XB00 111.19', 'XB48 688.4', 'XB02 909.46'],
    );
    assert.deepEqual(
      (await walkByLinks(`${STATIONS}?${query}&limit=1`)).flatMap((page) => page.body.data),
      data,
    );
    const { meta } = await get(`${query}&limit=1`);
    for (const other of ['country=NO', 'near=60,178&country=NO', 'near=60,178.1&radius_km=1000&country=NO'])
      await assertProblem(
        await api.get(`${STATIONS}?${other}&cursor=${meta.nextCursor}`),
        400,
        'cursor_mismatch',
      );
  });

  it('is walked by cursors, each station once and in the order of the codes', async () => {
    const walked = (await api.walk<Station>(`${STATIONS}?country=CA&limit=4`)).map(({ station }) => station);
    assert.deepEqual(walked, await codes('country=CA&limit=1000'));
    assert.deepEqual(walked, walked.toSorted());
    assert.equal(walked.length, 25);
  });

  it('is GeoJSON by Accept and by the extension, with the same stations (D48)', async () => {
    for (const query of ['', 'near=60,178&radius_km=1000', 'stations=XAAE,XB03', 'q=nowhere']) {
      const named = await api.get(`${STATIONS}.geojson?${query}`, { headers: { accept: 'text/html' } });
      const asked = await api.get(`${STATIONS}?${query}`, { headers: { accept: 'application/geo+json' } });
      for (const response of [named, asked]) {
        assertCommonHeaders(response);
        assert.equal(response.headers.get('content-type'), 'application/geo+json');
      }
      const text = await named.text();
      assert.equal(await asked.text(), text);
      assert.deepEqual(assertFeatures(JSON.parse(text)), (await get(query)).data);
    }
    const json = await api.get(`${STATIONS}.json?q=XB0`, { headers: { accept: 'application/geo+json' } });
    assert.match(json.headers.get('content-type') ?? '', /^application\/json/);
  });

  it('is walked as GeoJSON by its headers, and a cursor goes on in the other format', async () => {
    const near = 'near=60,178&radius_km=1000';
    const { data } = await get(near);
    assert.ok(data.length > 4);
    const pages = await walkByLinks(`${STATIONS}.geojson?${near}&limit=2`);
    assert.deepEqual(
      pages.flatMap(({ body }) => assertFeatures(body)),
      data,
    );
    for (const [n, { headers }] of pages.entries()) {
      const cursor = headers.get('x-next-cursor');
      assert.deepEqual(
        [headers.get('x-has-more'), cursor !== null],
        [`${n < pages.length - 1}`, n < pages.length - 1],
      );
      if (cursor !== null)
        assert.deepEqual((await get(`${near}&limit=2&cursor=${cursor}`)).data[0], data[2 * n + 2]);
    }
  });

  it('has an entity tag of its own as GeoJSON, is compressed, and answers HEAD', async () => {
    const target = `${STATIONS}.geojson?country=CA&limit=20`;
    const first = await api.get(target, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(first.headers.get('content-encoding'), 'gzip');
    assert.match(first.headers.get('vary') ?? '', /Accept, Accept-Encoding/);
    assert.equal(assertFeatures(await first.json()).length, 20);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"/);
    assert.notEqual(etag, (await api.get(`${STATIONS}?country=CA&limit=20`)).headers.get('etag'));
    const again = await api.get(target, { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
    const head = await api.get(target, { method: 'HEAD' });
    assert.deepEqual(
      [head.status, head.headers.get('content-type'), head.headers.get('x-has-more'), await head.text()],
      [200, 'application/geo+json', 'true', ''],
    );
    const empty = ['', '.geojson'].map((extension) => api.get(`${STATIONS}${extension}?q=nowhere`));
    const tags = (await Promise.all(empty)).map(({ headers }) => headers.get('etag'));
    assert.notEqual(tags[0], tags[1]);
  });

  it('shows a station as soon as a loader has listed it', async () => {
    await codes('q=XC');
    await list(api.archive, { station: 'XC00' });
    assert.deepEqual(await codes('q=XC'), ['XC00']);
  });
});

type Feature = {
  readonly type: unknown;
  readonly id: string;
  readonly geometry: { readonly type: unknown; readonly coordinates: readonly number[] } | null;
  readonly properties: Readonly<Record<string, unknown>>;
};

/**
 * Checks a FeatureCollection by RFC 7946: members and their types (3.2, 3.3), positions (3.1.1), no member that belongs to
 * another object (7.1). Returns its features as the records that they were made of.
 */
function assertFeatures(collection: unknown): Station[] {
  const { type, features, ...others } = collection as { type: unknown; features: object[] };
  assert.deepEqual([type, others], ['FeatureCollection', {}]);
  return features.map((feature) => {
    const { type, id, geometry, properties, ...more } = feature as Feature;
    assert.deepEqual([type, typeof id, typeof properties, more], ['Feature', 'string', 'object', {}]);
    for (const name of ['type', 'id', 'station', 'geometry', 'coordinates', 'latitude', 'longitude'])
      assert.ok(!(name in properties), name);
    if (geometry === null) return { station: id, ...properties };
    assert.deepEqual([Object.keys(geometry), geometry.type], [['type', 'coordinates'], 'Point']);
    const [longitude = Number.NaN, latitude = Number.NaN, elevation_m] = geometry.coordinates;
    assert.ok(geometry.coordinates.length <= 3 && geometry.coordinates.every(Number.isFinite));
    assert.ok(Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90);
    const elevation = elevation_m === undefined ? {} : { elevation_m };
    return { station: id, latitude, longitude, ...elevation, ...properties };
  });
}
