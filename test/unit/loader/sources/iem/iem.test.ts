import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { iem } from '../../../../../loader/sources/iem/iem.ts';
import { parseStationList } from '../../../../../loader/sources/iem/station-list.ts';

const slice = (station: string) =>
  ({ source: 'iem', station, firstDay: '2024-01-01' as Day, endDay: '2025-01-01' as Day }) as const;

describe('IEM requests', () => {
  it('cover a station-year in one request, without the K of the contiguous United States', () => {
    assert.deepEqual(
      iem()
        .requests(slice('KJFK'))
        .map(({ url }) => url),
      [
        'https://mesonet.agron.iastate.edu/cgi-bin/request/asos.py?station=JFK&data=metar' +
          '&sts=2024-01-01T00:00Z&ets=2025-01-01T00:00Z&report_type=3&report_type=4&tz=UTC&format=onlycomma' +
          '&latlon=no&elev=no&missing=empty&trace=T&direct=no',
      ],
    );
    assert.match(iem().requests(slice('EGLL'))[0]?.url ?? '', /station=EGLL&/);
  });

  it('use the host that is set', () => {
    const { origin, pathname } = new URL(iem('http://127.0.0.1:9000').requests(slice('EGLL'))[0]?.url ?? '');
    assert.deepEqual([origin, pathname], ['http://127.0.0.1:9000', '/cgi-bin/request/asos.py']);
  });
});

describe('IEM periods of record', () => {
  async function* bodyOf(value: unknown) {
    yield Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  }
  const row = { id: 'JFK', network: 'NY_ASOS', archive_begin: '1948-07-17T00:00:00Z', archive_end: null };
  const period = async (value: unknown) => (await parseStationList(bodyOf(value), 'KJFK')).listings;

  it('are those of the ASOS networks, one day longer at both ends because the days are local', async () => {
    const climate = { ...row, network: 'NYCLIMATE', archive_begin: '1890-01-01' };
    assert.deepEqual(await period({ data: [row, climate] }), [
      {
        source: 'iem',
        station: 'KJFK',
        firstDay: '1948-07-16',
      },
    ]);
    assert.deepEqual(await period({ data: [{ ...row, archive_end: '2020-02-29' }] }), [
      {
        source: 'iem',
        station: 'KJFK',
        firstDay: '1948-07-16',
        lastDay: '2020-03-01',
      },
    ]);
  });

  it('are unknown for a listed station without begin and end', async () => {
    assert.deepEqual(await period({ data: [{ ...row, archive_begin: null }] }), [
      {
        source: 'iem',
        station: 'KJFK',
      },
    ]);
  });

  for (const text of [
    '',
    'ERROR: over capacity',
    '{}',
    '[]',
    'null',
    '{"data":[null,1]}',
    '{"data":[{"id":"LGA"}]}',
  ])
    it(`are absent from ${JSON.stringify(text)}`, async () => {
      assert.deepEqual(await period(text), []);
    });
});
