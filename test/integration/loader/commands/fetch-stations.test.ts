import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { readKnownStations } from '../../../../clickhouse/stations.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { loadWith, runLoader } from '../../../support/loader/run-load.ts';
import { serve } from '../../../support/sources/replay-server.ts';

const FEATURE = {
  type: 'Feature',
  id: 'QAA',
  properties: {
    sid: 'QAA',
    sname: 'Prairie',
    network: 'KS_ASOS',
    country: 'US',
    state: 'KS',
    elevation: 401.5,
  },
  geometry: { type: 'Point', coordinates: [-98.5, 38.25] },
};
const AWC_ROW = { icaoId: 'KQAA', site: 'Prairie Rgnl', country: 'US', lat: 38.2, lon: -98.4, elev: 400 };
const HISTORY =
  '"USAF","WBAN","STATION NAME","CTRY","STATE","ICAO","LAT","LON","ELEV(M)","BEGIN","END"\n' +
  '"100001","99999","FELDBERG","GM","","XDAA","+47.900","+008.000","+1490.0","20100101","20250820"\n';

/** A source that sends these bodies by path, and 404 for any other path. */
const sourceOf = (bodies: Readonly<Record<string, string | Buffer>>) =>
  serve([], ({ url, response }) => {
    const body = bodies[url.pathname];
    if (body === undefined) response.writeHead(404).end('Not Found');
    else response.end(body);
  });

describe('load -- fetch-stations', () => {
  const archive = useArchive();
  const known = () => readKnownStations(archive.client, {}, undefined, 100);

  it('stores what IEM, AWC and NCEI publish, by one request each', async () => {
    const source = await sourceOf({
      '/geojson/network/AZOS.geojson': JSON.stringify({ type: 'FeatureCollection', features: [FEATURE] }),
      '/data/cache/stations.cache.json.gz': gzipSync(JSON.stringify([AWC_ROW])),
      '/pub/data/noaa/isd-history.csv': HISTORY,
    });
    const urls = { IEM_URL: source.url, AWC_URL: source.url, NCEI_URL: source.url };
    const { code, out } = await runLoader(archive, 'fetch-stations', urls);
    await source.close();
    assert.equal(code, 0, out);
    for (const name of ['iem', 'awc', 'ncei'])
      assert.match(out, new RegExp(`^${name}: 1 station described$`, 'm'));
    assert.equal(source.requests.length, 3);
    assert.deepEqual(await known(), [
      {
        station: 'KQAA',
        name: 'Prairie',
        country: 'US',
        position: { latitude: 38.25, longitude: -98.5 },
        elevation_m: 400,
      },
      {
        station: 'XDAA',
        name: 'FELDBERG',
        country: 'DE',
        position: { latitude: 47.9, longitude: 8 },
        elevation_m: 1490,
      },
    ]);
    const status = await runLoader(archive, 'status');
    assert.match(
      status.out,
      /The archive is empty/,
      'a description is no listing, and no day becomes due by it',
    );
  });

  it('names the lists that cannot be fetched, stores the others, and exits with 3', async () => {
    const before = await known();
    const source = await sourceOf({ '/data/cache/stations.cache.json.gz': '<html>' });
    const urls = { IEM_URL: source.url, AWC_URL: source.url, NCEI_URL: 'http://127.0.0.1:1' };
    const { code, out } = await runLoader(archive, 'fetch-stations', urls);
    await source.close();
    assert.equal(code, 3, out);
    for (const name of ['iem', 'awc', 'ncei'])
      assert.match(out, new RegExp(`^${name}: no list of stations: `, 'm'));
    assert.equal(source.requests.length, 2);
    assert.deepEqual(await known(), before);

    const one = await sourceOf({
      '/geojson/network/AZOS.geojson': JSON.stringify({ type: 'FeatureCollection', features: [FEATURE] }),
      '/data/cache/stations.cache.json.gz': gzipSync(JSON.stringify([AWC_ROW])),
    });
    const partial = await runLoader(archive, 'fetch-stations', {
      IEM_URL: one.url,
      AWC_URL: one.url,
      NCEI_URL: one.url,
    });
    await one.close();
    assert.equal(partial.code, 3, partial.out);
    assert.match(partial.out, /^iem: 1 station described$/m);
    assert.match(partial.out, /^ncei: no list of stations: 404 Not Found$/m);
  });

  it('is not needed for the stations of a load: their periods of record come with a description', async () => {
    const row = {
      id: 'XQAB',
      network: 'NO__ASOS',
      name: 'Fjord',
      country: 'NO',
      latitude: 60,
      longitude: 5,
      elevation: 50,
    };
    const source = await sourceOf({
      '/api/1/station/XQAB.json': JSON.stringify({
        data: [{ ...row, archive_begin: '2010-01-01', archive_end: null }],
      }),
      '/cgi-bin/request/asos.py':
        'station,valid,metar\nXQAB,2024-01-01 00:20,XQAB 010020Z 00000KT CAVOK 01/M01 Q1013\n',
    });
    const line = '--source iem --stations XQAB,XQAC --from 2024-01-01 --to 2024-01-02';
    const load = await loadWith(archive.client, iem(source.url), line);
    await source.close();
    assert.deepEqual(load.messages, []);
    const metadata = source.requests.filter((path) => !path.startsWith('/cgi-bin/'));
    assert.deepEqual(metadata, ['/api/1/station/XQAB.json', '/api/1/station/XQAC.json']);
    const described = (await known()).filter(({ station }) => station.startsWith('XQ'));
    assert.deepEqual(
      described.map(({ station, name, country }) => [station, name, country]),
      [['XQAB', 'Fjord', 'NO']],
    );
  });
});
