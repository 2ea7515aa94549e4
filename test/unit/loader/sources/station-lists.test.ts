import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import {
  type KnownSource,
  SOURCE_ADAPTERS,
  STATION_LIST_NAMES,
} from '../../../../loader/sources/registry.ts';

async function* bodyOf(...chunks: readonly (string | Buffer)[]) {
  for (const chunk of chunks) yield Buffer.from(chunk);
}
const parse = async (source: KnownSource, ...chunks: readonly (string | Buffer)[]) =>
  (await listOf(source).parse(bodyOf(...chunks))).descriptions;
const listOf = (source: KnownSource, host?: string) =>
  SOURCE_ADAPTERS[source](host).descriptionList ?? assert.fail(`${source} has no list`);

describe('lists of stations', () => {
  it('are requested from the hosts of their sources, or from those that are set', () => {
    assert.deepEqual(
      STATION_LIST_NAMES.map((name) => listOf(name).request.url),
      [
        'https://mesonet.agron.iastate.edu/geojson/network/AZOS.geojson',
        'https://aviationweather.gov/data/cache/stations.cache.json.gz',
        'https://www.ncei.noaa.gov/pub/data/noaa/isd-history.csv',
      ],
    );
    for (const name of STATION_LIST_NAMES)
      assert.equal(
        new URL(listOf(name, 'http://127.0.0.1:9000').request.url).origin,
        'http://127.0.0.1:9000',
      );
  });

  it('of IEM are GeoJSON features of its ASOS networks', async () => {
    const feature = (id: string, properties: object, coordinates: unknown = [10.5, 60.25]) => ({
      type: 'Feature',
      id,
      properties: { sid: id, network: 'NO__ASOS', ...properties },
      geometry: { type: 'Point', coordinates },
    });
    const features = [
      feature('XNAA', {
        sname: ' Fjord   Airport ',
        country: 'NO',
        elevation: 12.3456,
        tzname: 'Europe/Oslo',
      }),
      feature('QAB', { sname: 'Prairie', country: 'US', state: 'KS', network: 'KS_ASOS' }),
      feature('XNAC', { sname: 'Island', country: 'US', state: 'PR', network: 'PR_ASOS' }, [0, 0]),
      feature('XNAD', { sname: null, country: 'AN', elevation: -999 }, null),
      feature('XNAE', { sname: 'Dam', network: 'NO_DCP' }),
      feature('XNAF', { sname: 7, country: 'UN', elevation: '3', tzname: '+02:00' }, ['10', '60']),
    ];
    assert.deepEqual(await parse('iem', JSON.stringify({ type: 'FeatureCollection', features })), [
      {
        source: 'iem',
        station: 'XNAA',
        name: 'Fjord Airport',
        country: 'NO',
        position: { latitude: 60.25, longitude: 10.5 },
        elevation_m: 12.3,
        timezone: 'Europe/Oslo',
      },
      {
        source: 'iem',
        station: 'KQAB',
        name: 'Prairie',
        country: 'US',
        position: { latitude: 60.25, longitude: 10.5 },
      },
      { source: 'iem', station: 'XNAC', name: 'Island', country: 'PR' },
      { source: 'iem', station: 'XNAD' },
      { source: 'iem', station: 'XNAF' },
    ]);
  });

  it('of NCEI are rows with FIPS countries; the row that ended last describes a code', async () => {
    const lines = [
      '"USAF","WBAN","STATION NAME","CTRY","STATE","ICAO","LAT","LON","ELEV(M)","BEGIN","END"',
      '"100001","99999","NEW FIELD, ""NORTH""","GM","","XDAA","+52.500","+013.400","+0037.0","20100101","20250820"',
      '"100002","99999","OLD FIELD","GM","","XDAA","+52.000","+013.000","+0048.0","19730101","20091231"',
      '"100003","99999","PORT","AS","","XDAB","-33.946","-151.173","-0003.0","19730101","20250820"',
      '"100004","99999","BOGUS AUSTRALIAN","AS","","XDAC","+00.000","+000.000","-0999.0","19730101","20250820"',
      '"100005","99999","","ZZ","","XDAD","","","","19730101","20250820"',
      '"100006","99999","NO CODE","US","NY","","+40.000","-073.000","+0001.0","19730101","20250820"',
      '"100007","99999","BAY","US","GU","XDAE","+13.483","+144.800","+0077.0","19730101","20250820"',
    ];
    assert.deepEqual(await parse('ncei', `${lines.join('\n')}\n`), [
      {
        source: 'ncei',
        station: 'XDAA',
        name: 'NEW FIELD, "NORTH"',
        country: 'DE',
        position: { latitude: 52.5, longitude: 13.4 },
        elevation_m: 37,
      },
      {
        source: 'ncei',
        station: 'XDAB',
        name: 'PORT',
        country: 'AU',
        position: { latitude: -33.946, longitude: -151.173 },
        elevation_m: -3,
      },
      { source: 'ncei', station: 'XDAC', country: 'AU' },
      { source: 'ncei', station: 'XDAD' },
      {
        source: 'ncei',
        station: 'XDAE',
        name: 'BAY',
        country: 'GU',
        position: { latitude: 13.483, longitude: 144.8 },
        elevation_m: 77,
      },
    ]);
  });

  it('of AWC are a JSON array, compressed or not', async () => {
    const rows = [
      {
        icaoId: 'XKAA',
        site: 'Harbor/Intl',
        state: 'NY',
        country: 'US',
        lat: 40.5,
        lon: -73.5,
        elev: 4,
        siteType: ['METAR', 'TAF'],
      },
      { icaoId: 'XKAB', site: 'Balloon', country: 'US', lat: 1, lon: 1, elev: 1, siteType: ['RAOB'] },
      { icaoId: 'XKAC', site: 'Nowhere', country: '--', lat: -99.99, lon: -99.99, elev: 9999 },
      { icaoId: 'K5', site: 'Short' },
      { icaoId: null },
      null,
    ];
    const expected = [
      {
        source: 'awc',
        station: 'XKAA',
        name: 'Harbor/Intl',
        country: 'US',
        position: { latitude: 40.5, longitude: -73.5 },
        elevation_m: 4,
      },
      { source: 'awc', station: 'XKAC', name: 'Nowhere' },
    ];
    const text = JSON.stringify(rows);
    const gzip = gzipSync(text);
    assert.deepEqual(await parse('awc', text), expected);
    assert.deepEqual(await parse('awc', gzip.subarray(0, 9), gzip.subarray(9)), expected);
  });

  it('are invalid when they are another text', async () => {
    for (const text of ['', '<html>', '{}', '"a"']) {
      await assert.rejects(parse('awc', text), { name: 'InvalidResponseError' });
      await assert.rejects(parse('ncei', `${text}\n`), { name: 'InvalidResponseError' });
      assert.deepEqual(await parse('iem', text), []);
    }
    await assert.rejects(parse('awc', gzipSync('[]').subarray(0, 12)), { name: 'InvalidResponseError' });
  });
});
