import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { isdFormat, parseIsd } from '../../../../../loader/sources/ncei/isd.ts';
import type { Slice } from '../../../../../loader/sources/source.ts';
import { metBlock } from '../../../../support/sources/replay-ncei.ts';

const SLICE: Slice = {
  source: 'ncei',
  station: 'KXYZ',
  firstDay: '2024-01-02' as Day,
  endDay: '2024-01-04' as Day,
};
const HEADER = '"STATION","DATE","SOURCE","REPORT_TYPE","CALL_SIGN","REM"';
const TEXT = 'METAR KXYZ 020051Z 18004KT';
const CUT = metBlock(TEXT, 90);

type Row = { readonly date?: string; readonly type?: string; readonly callSign?: string };
const line = (
  remarks: string,
  { date = '2024-01-02T00:51:00', type = 'FM-15', callSign = '99999' }: Row = {},
) => `"72503014732","${date}","4","${type} ","${callSign} ","${remarks}"`;
const parse = (lines: readonly string[], header = HEADER) =>
  parseIsd(
    (async function* () {
      yield Buffer.from([header, ...lines].map((text) => `${text}\n`).join(''));
    })(),
    SLICE,
    100,
  );

describe('ISD global-hourly CSV', () => {
  it('gives METAR and SPECI their time, text and type', async () => {
    const special = line(metBlock('SPECI KXYZ 020107Z 18004KT'), {
      date: '2024-01-02T01:07:00',
      type: 'FM-16',
    });
    assert.deepEqual(await parse([line(metBlock(TEXT)), special]), {
      rows: [
        { station: 'KXYZ', filedAt: Date.UTC(2024, 0, 2, 0, 51) / 1000, text: TEXT, type: 'METAR' },
        {
          station: 'KXYZ',
          filedAt: Date.UTC(2024, 0, 2, 1, 7) / 1000,
          text: 'SPECI KXYZ 020107Z 18004KT',
          type: 'SPECI',
        },
      ],
      skipped: {},
    });
  });

  it('names the days of reports that are cut short, inside the window only', async () => {
    const { rows, skipped, incompleteDays } = await parse([
      line(CUT, { date: '2024-01-01T23:51:00' }),
      line(CUT, { date: '2024-01-03T00:51:00' }),
      line(CUT, { date: '2024-01-03T01:51:00' }),
      line(CUT, { date: '2024-01-04T00:00:00' }),
    ]);
    assert.deepEqual(rows, []);
    assert.deepEqual(skipped, { 'outside the window': 2, 'cut short': 2 });
    assert.deepEqual(incompleteDays, ['2024-01-03']);
  });

  it('reads the column EQD where the file has it', async () => {
    const withEqd = `${line(metBlock(TEXT, TEXT.length + 19))},"D07+000000ADE726"`;
    const { rows, incompleteDays } = await parse([withEqd], `${HEADER},"EQD"`);
    assert.deepEqual([rows.map(({ text }) => text), incompleteDays], [[TEXT], undefined]);
  });

  it('skips other reports, other stations and rows without date', async () => {
    const { skipped } = await parse([
      line(metBlock(TEXT), { type: 'FM-12' }),
      line(metBlock(TEXT), { callSign: 'KABC' }),
      line(metBlock(TEXT), { date: 'yesterday' }),
    ]);
    assert.deepEqual(skipped, { 'another kind of report': 1, 'wrong station': 1, 'unreadable row': 1 });
  });

  it('rejects an empty body and a body without header', async () => {
    await assert.rejects(parse([], '<html>'), { name: 'InvalidResponseError' });
    await assert.rejects(parseIsd((async function* () {})(), SLICE, 100), { name: 'InvalidResponseError' });
  });

  it('finds the station of a file row by ISD id, then by call sign', () => {
    const stationOf = (stations: ReadonlyMap<string, string>, row?: Row) => {
      const format = isdFormat((id, callSign) => stations.get(id) ?? callSign);
      const parsed = format.open(HEADER)?.(line(metBlock(TEXT), row));
      return parsed && 'reason' in parsed ? parsed.reason : parsed?.station;
    };
    assert.equal(stationOf(new Map([['72503014732', 'KXYZ']])), 'KXYZ');
    assert.equal(stationOf(new Map(), { callSign: 'KXYZ' }), 'KXYZ');
    assert.equal(stationOf(new Map()), 'not an ICAO code');
  });
});
