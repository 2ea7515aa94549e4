import assert from 'node:assert/strict';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { iem, parseStationList } from '../../../../loader/sources/iem.ts';
import { SLICE_OF_A_DAY as SLICE } from '../../../support/sources/iem-reports.ts';

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
      { source: 'iem', station: 'KJFK', firstDay: '1948-07-16' },
    ]);
    assert.deepEqual(await period({ data: [{ ...row, archive_end: '2020-02-29' }] }), [
      { source: 'iem', station: 'KJFK', firstDay: '1948-07-16', lastDay: '2020-03-01' },
    ]);
  });

  it('end with the UTC days that the first and the last local day touch', async () => {
    const ends = { ...row, archive_begin: '2011-01-01', archive_end: '2020-06-30' };
    for (const [tzname, firstDay, lastDay] of [
      ['America/Vancouver', '2011-01-01', '2020-07-01'],
      ['Asia/Tokyo', '2010-12-31', '2020-06-30'],
      ['Pacific/Apia', '2011-01-01', '2020-06-30'],
      ['Africa/Abidjan', '2011-01-01', '2020-06-30'],
      ['Nowhere', '2010-12-31', '2020-07-01'],
    ])
      assert.deepEqual(
        await period({ data: [{ ...ends, tzname }] }),
        [{ source: 'iem', station: 'KJFK', firstDay, lastDay }],
        tzname,
      );
  });

  it('are unknown for a listed station without begin and end', async () => {
    assert.deepEqual(await period({ data: [{ ...row, archive_begin: null }] }), [
      { source: 'iem', station: 'KJFK' },
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

const HEADER = 'station,valid,metar';
const LAST = 'XYZ,2024-01-01 23:51,KXYZ 012351Z 18004KT';

async function* bodyOf(...lines: readonly string[]) {
  yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
const read = (...lines: readonly string[]) => iem().parse(bodyOf(...lines), SLICE, 100);
const seconds = (text: string) => Date.parse(text) / 1000;

describe('IEM asos.py: CSV', () => {
  it('finds columns by name, also with blanks around it, reads the place and adds the K that IEM removes', async () => {
    const { rows, skipped } = await read(
      'station,valid,lon, lat, metar,elevation',
      'XYZ,2024-01-01 00:51,-73.7,40.6,KXYZ 010051Z 18004KT,4.00',
      'XYZ,2024-01-01 23:51,-73.7,40.6,KXYZ 012351Z 18004KT,4.00',
    );
    const place = { latitude: 40.6, longitude: -73.7, elevation_m: 4 };
    assert.deepEqual(
      { rows, skipped },
      {
        rows: ['01T00:51', '01T23:51'].map((time) => {
          const text = `KXYZ ${time.replace(/[T:]/g, '')}Z 18004KT`;
          return { station: 'KXYZ', filedAt: seconds(`2024-01-${time}:00Z`), text, place };
        }),
        skipped: {},
      },
    );
  });

  it('accepts #DEBUG lines before the header, and quotes within values', async () => {
    const lines = ['#DEBUG: Format Typ    -> comma', HEADER, `${LAST} 3"`, `${LAST} 4"`, LAST];
    assert.equal((await read(...lines)).rows.length, 3);
  });

  it('counts every row that is not a report by its reason', async () => {
    const { rows, skipped } = await read(
      HEADER,
      'XYZ,2023-12-31 23:51,KXYZ 312351Z 18004KT',
      'XYZ,2024-01-01 00:00,KXYZ 010000Z AUTO 18004KT RMK T00301100 MADISHF',
      'XYZ,2024-01-01 00:10,KXYZ 010010Z AUTO 18004KT RMK IEM_DS3505',
      'XYZ,2024-01-01 00:20,METAR KXYZ 010020Z AUTO 18004KT RMK AO2 IEM_GHCNH',
      'XYZ,2024-01-01 00:30,M',
      'XYZ,2024-01-01 00:40,',
      'ABC,2024-01-01 00:50,KABC 010050Z 18004KT',
      LAST,
      'XYZ,2024-01-02 00:00,KXYZ 020000Z 18004KT',
    );
    assert.equal(rows.length, 1);
    assert.deepEqual(skipped, {
      'outside the window': 2,
      'synthetic 5-minute data (MADISHF)': 1,
      'rebuilt from fields (IEM_DS3505)': 1,
      'rebuilt from fields (IEM_GHCNH)': 1,
      'empty text': 2,
      'wrong station': 1,
    });
  });

  it('keeps an issued report that IEM has labelled, without the label', async () => {
    const { rows } = await read(HEADER, 'XYZ,2024-01-01 23:51,KXYZ 012351Z 18004KT RMK AO2 IEM_GHCNH');
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['KXYZ 012351Z 18004KT RMK AO2'],
    );
  });

  for (const [what, lines] of [
    ['an empty body', []],
    ['an error text with status 200', ['ERROR: server over capacity, please try later']],
    ['an HTML page', ['<!DOCTYPE html>', '<html></html>']],
    ['a header without the column metar', ['station,valid,tmpf', 'XYZ,2024-01-01 00:51,50.0']],
  ] as const)
    it(`rejects ${what} as an invalid response`, async () => {
      await assert.rejects(read(...lines), { name: 'InvalidResponseError' });
    });

  it('rejects a body whose last line is cut as an invalid response', async () => {
    async function* body() {
      yield Buffer.from(`${HEADER}\n${LAST.slice(0, -5)}`);
    }
    await assert.rejects(iem().parse(body(), SLICE, 100), {
      name: 'InvalidResponseError',
      message: `the last line is incomplete: line 2, ${JSON.stringify(LAST.slice(0, -5))}`,
    });
  });

  it('reads times with and without T, seconds and Z, in UTC (D68)', async () => {
    const times = '00:51,00:51:00,00:51:00.000,00:51Z,00:51:00Z,00:51:00+00:00,00:51:00+0000,00:51 UTC'.split(
      ',',
    );
    const dates = ['2024-01-01 ', '2024-01-01T'];
    const lines = dates.flatMap((date) => times.map((time) => `XYZ,${date}${time},KXYZ 010051Z 18004KT`));
    const { rows, skipped } = await read(HEADER, ...lines);
    assert.deepEqual(new Set(rows.map(({ filedAt }) => filedAt)), new Set([seconds('2024-01-01T00:51:00Z')]));
    assert.deepEqual([rows.length, skipped], [16, {}]);
  });

  it('takes a header between the rows of joined files for one, also with other columns', async () => {
    const other = ['metar,valid,station', 'KXYZ 010051Z CAVOK,2024-01-01 00:51,XYZ'];
    const { rows, skipped } = await read(HEADER, LAST, HEADER, LAST, ...other);
    assert.deepEqual([rows.length, rows.at(-1)?.text, skipped], [3, 'KXYZ 010051Z CAVOK', {}]);
  });

  it('reads no time that can be another one (D68)', async () => {
    const times = '2/1/2024 0:54,1.2.24 0:54,2024-01-01 0:54,2024-01-01T00:54+01:00,45292'.split(',');
    const rows = times.map((time) => `XYZ,${time},KXYZ 010054Z 18004KT`);
    const { skipped } = await read(HEADER, ...rows, ...Array(6).fill(LAST));
    assert.deepEqual(skipped, { 'unreadable row': times.length });
  });

  it('names the first line that cannot be read, and is broken where the last one is (D68)', async () => {
    const bad = ['XYZ,2/1/2024 0:54,KXYZ', '', 'Oopsy'];
    const { unreadable, isBroken } = await read('#DEBUG', HEADER, LAST, ...bad, LAST, '');
    assert.deepEqual(
      [unreadable, isBroken],
      [
        '2 of 4 rows cannot be read, the first is line 4, "XYZ,2/1/2024 0:54,KXYZ"; expected rows of station, valid, metar, with times such as 2024-01-31 12:51 in UTC',
        false,
      ],
    );
    assert.equal((await read(HEADER, LAST, LAST, ...bad.slice(1), '')).isBroken, true);
    assert.equal((await read(HEADER, ...bad, LAST)).isBroken, true, 'most cannot be read');
    await assert.rejects(read(HEADER, ...bad), {
      name: 'InvalidResponseError',
      message: /^2 of 2 rows cannot/,
    });
    const whole = await read(HEADER, LAST);
    assert.deepEqual([whole.unreadable, whole.suspicion], [undefined, undefined]);
  });

  for (const [what, lines, suspicion] of [
    ['has no rows', [], 'no reports'],
    [
      'ends three hours or more before the window',
      ['XYZ,2024-01-01 12:51,KXYZ 011251Z 18004KT'],
      'no rows after 2024-01-01T12:51:00.000Z',
    ],
    ['is not in order of time', [LAST, 'XYZ,2024-01-01 22:51,KXYZ 012251Z 18004KT'], 'rows out of order'],
    ['has a row that cannot be read', ['XYZ,2024-01-01 1,KXYZ', LAST], 'unreadable rows'],
    ['has a day that does not exist', ['XYZ,2024-02-30 00:51,KXYZ', LAST], 'unreadable rows'],
  ] as const)
    it(`is suspicious when it ${what}`, async () => {
      assert.equal((await read(HEADER, ...lines)).suspicion, suspicion);
    });
});
