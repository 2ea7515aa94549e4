import assert from 'node:assert/strict';
import { parametersOf } from '../../../../api/contract/parameters.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import { STATIONS } from '../../../../api/stations/endpoint.ts';
import { queryErrors } from '../../../support/api/query-errors.ts';

const NAMES = parametersOf(STATIONS.parameters).map(({ name }) => name);

function parseStationsQuery(query: string) {
  const { values: filters, limit } = readQuery(STATIONS, query);
  return { filters, limit };
}

const errors = (query: string) => queryErrors(STATIONS, query);

describe('query parameters of stations (D35)', () => {
  it('are all optional', () => {
    assert.deepEqual(parseStationsQuery(''), { filters: { radius_km: 100 }, limit: 100 });
  });

  it('are the filters and the limit', () => {
    const query = 'stations=KJFK,EGLL,KJFK&country=DE&bbox=-125,24.5,-66,50&q=new%20york&limit=1000';
    assert.deepEqual(parseStationsQuery(query), {
      filters: {
        stations: ['KJFK', 'EGLL'],
        country: 'DE',
        bbox: { west: -125, south: 24.5, east: -66, north: 50 },
        q: 'new york',
        radius_km: 100,
      },
      limit: 1000,
    });
  });

  it('accept a bounding box across the antimeridian, and one that is a point', () => {
    assert.deepEqual(parseStationsQuery('bbox=170,-20,-170,-10').filters.bbox, {
      west: 170,
      south: -20,
      east: -170,
      north: -10,
    });
    assert.deepEqual(parseStationsQuery('bbox=-0,0,0,-0').filters.bbox, {
      west: 0,
      south: 0,
      east: 0,
      north: 0,
    });
  });

  it('refuse what is not a bounding box, and say what to write', () => {
    for (const bbox of [
      ...['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '181,0,182,1', '0,-91,1,0', '0,0,1,91', '0,10,1,9'],
    ])
      assert.match(errors(`bbox=${encodeURIComponent(bbox)}`).bbox ?? '', /west,south,east,north/, bbox);
  });

  it('accept a point with its radius, with as many decimals as programs print', () => {
    for (const [query, near] of [
      ['near=50.03,8.57', [50.03, 8.57, 100]],
      ['near=-90,180&radius_km=1', [-90, 180, 1]],
      ['near=90,-180&radius_km=1000', [90, -180, 1000]],
      ['near=-0,-0.0&radius_km=46.3', [0, 0, 46.3]],
      ['near=52.52000659999999,13.404953999999975&radius_km=1.0', [52.52000659999999, 13.404953999999975, 1]],
    ] as const) {
      const [latitude, longitude, radius_km] = near;
      assert.deepEqual(parseStationsQuery(query).filters, { near: { latitude, longitude }, radius_km });
    }
  });

  it('refuse what is not a point, and say what to write', () => {
    for (const near of [
      ...['', '50', '50,', ',8', '50,8,7', '50;8', '50 8', '50, 8', ' 50,8', 'a,b', 'EDDF'],
      ...['90.01,0', '-91,0', '0,180.5', '0,-181', '200,100'],
      ...['NaN,0', 'Infinity,0', '1e1,0', '0x1,2', '+50,8', '50.,8', '50N,8E', '5,8\0'],
    ])
      assert.match(
        errors(`near=${encodeURIComponent(near)}`).near ?? '',
        /^must be LAT,LON in degrees without a space, as in 50\.03,8\.57: latitude from -90 to 90/,
        near,
      );
  });

  it('refuse a radius that is out of range, no number or without a point, and say what to write', () => {
    for (const radius of ['', '0', '0.99', '1000.01', '1001', '-5', 'NaN', '1e2', '100km', '1,5', '1.'])
      assert.match(
        errors(`near=1,2&radius_km=${radius}`).radius_km ?? '',
        /^must be a number of kilometers from 1 to 1,000/,
        radius,
      );
    assert.match(errors('radius_km=100').radius_km ?? '', /write near=LAT,LON too/);
  });

  it('refuse other wrong values', () => {
    for (const country of ['de', 'DEU', '', 'D', 'D1'])
      assert.match(errors(`country=${country}`).country ?? '', /ISO 3166/);
    for (const limit of ['0', '1001', '1e2', ''])
      assert.match(errors(`limit=${limit}`).limit ?? '', /1 to 1,000/);
    for (const q of ['', 'x'.repeat(65)]) assert.match(errors(`q=${q}`).q ?? '', /1 to 64/);
    assert.match(errors('stations=kjfk').stations ?? '', /"kjfk"/);
  });

  it('report all invalid parameters together, each once', () => {
    const query =
      'stations=,&country=x&bbox=1&q=&near=1&radius_km=0&limit=0&cursor=&from=2024-01-01T00:00:00Z';
    assert.deepEqual(Object.keys(errors(query)).sort(), [...NAMES, 'from'].sort());
    for (const name of NAMES) assert.ok(errors(`${name}=1&${name}=1`)[name], name);
  });
});
