import assert from 'node:assert/strict';
import type { Day } from '../../../../../clickhouse/model/day.ts';
import { normalize } from '../../../../../loader/pipeline/normalize.ts';
import { extractReport, ncei } from '../../../../../loader/sources/ncei/ncei.ts';
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

const block = (name: string, text: string) => `${name}${String(text.length).padStart(3, '0')}${text}`;

type Row = { readonly date?: string; readonly type?: string; readonly callSign?: string };
const line = (
  remarks: string,
  { date = '2024-01-02T00:51:00', type = 'FM-15', callSign = '99999' }: Row = {},
) => `"72503014732","${date}","4","${type} ","${callSign} ","${remarks}"`;
const parse = (lines: readonly string[], header = HEADER) =>
  ncei().parse(
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
    const { rows, skipped } = await parse([line(metBlock(TEXT)), special]);
    assert.deepEqual(
      { rows, skipped },
      {
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
      },
    );
  });

  it('reads a value with line ends, and loses no row to a quote that does not end', async () => {
    const torn = 'METAR KXYZ 020151Z 18004KT\n10SM CLR 05/02 A3002';
    const stray = line('MET018METAR KXYZ 020251Z" ', { date: '2024-01-02T02:51:00' });
    const { rows, skipped } = await parse([
      line(metBlock(TEXT)),
      line(metBlock(torn), { date: '2024-01-02T01:51:00' }),
      stray,
      line(metBlock('METAR KXYZ 020351Z 18004KT'), { date: '2024-01-02T03:51:00' }),
      line(metBlock('METAR KXYZ 020451Z 18004KT'), { date: '2024-01-02T04:51:00' }),
    ]);
    assert.deepEqual(
      normalize({ rows, skipped }).reports.map(({ raw }) => raw),
      [
        TEXT,
        'METAR KXYZ 020151Z 18004KT 10SM CLR 05/02 A3002',
        'METAR KXYZ 020251Z',
        'METAR KXYZ 020351Z 18004KT',
        'METAR KXYZ 020451Z 18004KT',
      ],
    );
  });

  it('reads the METAR of rows that merge it with other reports, under whatever kind (D67)', async () => {
    const merged = `${block('SYN', '72530 12666 82718 333 4/010 555 92618=')}${metBlock(TEXT)}`;
    const special = `${block('SYN', '72530=')}${metBlock('SPECI KXYZ 020057Z 18004KT')}`;
    const { rows, skipped } = await parse([
      line(merged, { type: 'SY-MT' }),
      line(metBlock('KXYZ 020053Z 18004KT='), { type: 'SY-MT' }),
      line(metBlock(TEXT), { type: 'AUTO' }),
      line(merged, { type: 'S-S-A' }),
      line(special, { type: 'SY-MT' }),
      line(block('SYN', '72530 12666='), { type: 'SY-MT' }),
    ]);
    assert.deepEqual(
      rows.map(({ text, type }) => [text, type]),
      [
        [TEXT, 'METAR'],
        ['KXYZ 020053Z 18004KT=', 'METAR'],
        [TEXT, undefined],
        [TEXT, undefined],
        ['SPECI KXYZ 020057Z 18004KT', 'METAR'],
      ],
    );
    assert.deepEqual(skipped, { 'no text': 1 });
    const { reports } = normalize({ rows, skipped });
    assert.deepEqual(
      reports.map(({ sentType }) => sentType),
      ['METAR', 'METAR', 'METAR', 'METAR', 'SPECI'],
    );
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
    assert.deepEqual([rows.map(({ text }) => text), incompleteDays], [[TEXT], []]);
  });

  it('skips other reports, other stations and rows without date', async () => {
    const { skipped } = await parse([
      line(block('SYN', 'AAXX 02001'), { type: 'FM-12' }),
      line('', { type: 'SOD' }),
      line(metBlock(TEXT), { callSign: 'KABC' }),
      line(metBlock(TEXT), { date: 'yesterday' }),
      line(metBlock(TEXT), { date: '2024-02-30T00:51:00' }),
    ]);
    assert.deepEqual(skipped, { 'another kind of report': 2, 'wrong station': 1, 'unreadable row': 2 });
  });

  it('finds the station of a file row by ISD id, then by call sign', () => {
    const stationOf = (stations: ReadonlyMap<string, string>, row?: Row) => {
      const [format] = ncei().fileFormats?.(stations) ?? [];
      const parsed = format?.open(HEADER)?.(line(metBlock(TEXT), row));
      return parsed && 'reason' in parsed ? parsed.reason : parsed?.station;
    };
    assert.equal(stationOf(new Map([['72503014732', 'KXYZ']])), 'KXYZ');
    assert.equal(stationOf(new Map(), { callSign: 'KXYZ' }), 'KXYZ');
    assert.equal(stationOf(new Map([['72503014733', 'KXYZ']])), 'not an ICAO code');
  });
});

const BODY = 'METAR KXYZ 010053Z 16005KT 10SM CLR 06/01 A3002 RMK AO2 T00561011';
const EQD = 'D07+000000ADE726';
const textOf = (remarks: string, qualityData = '') => {
  const found = extractReport(remarks, qualityData);
  return 'text' in found ? found.text : found.reason;
};

describe('ISD remarks: the METAR or SPECI of a row', () => {
  it('removes the stamp of local time and the initials of the observer', () => {
    assert.equal(textOf(metBlock(`12/31/13 18:53:03 ${BODY} (DF)`)), BODY);
    assert.equal(textOf(metBlock(`12/31/13 18:53:03 ${BODY} $ FIBI (KLC)`)), `${BODY} $ FIBI`);
  });

  it('returns a report from the telecommunication network unchanged', () => {
    assert.equal(textOf(metBlock(`${BODY}      A3007 RMK $=`)), `${BODY}      A3007 RMK $=`);
  });

  it('reads the MET block among several blocks', () => {
    const synop = block('SYN', '72530 11416 80000 333 90100=');
    assert.equal(textOf(`${synop}${metBlock(`${BODY}=`)}`), `${BODY}=`);
    assert.equal(textOf(`${metBlock(`${BODY}=`)}SOD007SUNRISE`), `${BODY}=`);
    assert.equal(textOf(synop), 'no text');
  });

  it('reads the whole report where the stated length is wrong', () => {
    assert.equal(textOf(metBlock(`${BODY}=`, 20)), `${BODY}=`);
    assert.equal(textOf(`${metBlock(`${BODY}=`, 20)}SYN005AAXX1`), `${BODY}=`);
    assert.equal(textOf(metBlock(`${BODY}=`, 300)), `${BODY}=`);
  });

  it('calls a text that ends before its stated length cut short', () => {
    assert.equal(textOf(metBlock(BODY.slice(0, 40), BODY.length)), 'cut short');
    assert.equal(textOf(metBlock(BODY.slice(0, 40), BODY.length), EQD), 'cut short');
  });

  it('accepts a stated length that includes the EQD section', () => {
    assert.equal(textOf(metBlock(BODY, BODY.length + 'EQD'.length + EQD.length), EQD), BODY);
    assert.equal(textOf(metBlock(BODY, BODY.length), EQD), BODY);
    // An element of 10 characters.
    assert.equal(textOf(metBlock(BODY, BODY.length + 13), 'D100ADE726'), BODY);
  });

  it('accepts a stated length that includes the first of two EQD sections', () => {
    assert.equal(textOf(metBlock(BODY, BODY.length + 19), `${EQD}EQDQ01  01068PRCP24`), BODY);
  });

  it('accepts no length that exceeds the EQD section or ends inside it', () => {
    for (const excess of [1, 3, 18, 20, 35])
      assert.equal(textOf(metBlock(BODY, BODY.length + excess), EQD), 'cut short', String(excess));
  });

  it('removes an EQD section from the text', () => {
    const stamped = `12/31/13 18:53:03 ${BODY} (DF)`;
    assert.equal(textOf(metBlock(`${stamped}EQD${EQD}`)), BODY);
    assert.equal(textOf(`${metBlock(stamped)}EQDD100ADE726`), BODY);
    assert.equal(textOf(`${metBlock(stamped)}EQDR01      7SKY009R02      7GAS009`), BODY);
  });

  it('returns nothing for an empty field, other text, or an empty block', () => {
    for (const remarks of ['', 'METAR KXYZ', 'MET', 'MET000', metBlock('12/31/13 18:53:03 (DF)')])
      assert.equal(textOf(remarks), 'no text', remarks);
  });
});
