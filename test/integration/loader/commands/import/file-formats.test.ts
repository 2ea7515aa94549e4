import assert from 'node:assert/strict';
import { readAllReports, useArchive } from '../../../../support/archive/archive.ts';
import { importInto } from '../../../../support/loader/run-load.ts';

const [SOH, ETX] = ['\u0001', '\u0003'];

type Case = {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: string;
  /** Source, time, type and text of what is stored. */
  readonly stored: readonly string[];
  readonly skipped?: Readonly<Record<string, number>>;
  /** What is said; then the file counts as failed. */
  readonly refusal?: RegExp | string;
  /** What is said of files that count as loaded. */
  readonly said?: readonly string[];
};

/** With the same name, which has no date. */
const bulletins = (...lines: readonly string[]) => ({ 'bulletins.txt': `${lines.join('\r\r\n')}\r\r\n` });
/** A report of AWC as an element of its XML. */
const element = (text: string, time: string, more = '') =>
  `<METAR><raw_text>${text}</raw_text><station_id>XAAA</station_id><observation_time>${time}</observation_time><metar_type>SPECI</metar_type>${more}</METAR>`;
/** A line of ISD in fixed width: the length of what follows the control and mandatory data comes first. */
const line = (time: string, kind: string, remarks: string) =>
  `${String(remarks.length + 6).padStart(4, '0')}9999999999920240102${time}4+40200-080100${kind}+0300XAAA V0302405N005152200059N0160935N5+01005+00505999999ADDREM${remarks}`;
const ROUTINE = ['SAXA31 XAAA 020100', 'METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020='];

const CASES: readonly Case[] = [
  {
    what: 'cycles of TGFTP, with duplicates',
    files: {
      '01Z.TXT': `2024/01/02 00:50\nXAAA 020050Z 18004KT CAVOK 10/05 Q1020 \n\n2024/01/02 00:50\nXAAA 020050Z 18004KT CAVOK 10/05 Q1020\n
2024/01/02 00:53\nXAAB 020053Z AUTO 18004KT 10SM CLR 10/05 A3002 RMK AO2\n\n2024/01/02 00:54\nnull\n`,
    },
    stored: [
      'tgftp 00:50 METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020',
      'tgftp 00:53 METAR XAAB 020053Z AUTO 18004KT 10SM CLR 10/05 A3002 RMK AO2',
    ],
    skipped: { 'duplicate report': 1, 'text without station and time': 1 },
  },
  {
    what: 'cycles with reports of several lines and of several in one, and names a line of neither',
    files: {
      '01Z.TXT':
        '2024/01/02 00:50\nXAAA 020050Z 18004KT CAVOK\n  10/05\nQ1020\n\n2024/01/02 00:53\nXAAB 020053Z 18004KT CAVOK\nXAAC 020053Z 18004KT CAVOK\n\nOopsy\n\nXAAD 020053Z 18004KT CAVOK\n',
    },
    stored: [
      'tgftp 00:50 METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020',
      ...['XAAB', 'XAAC', 'XAAD'].map((code) => `tgftp 00:53 METAR ${code} 020053Z 18004KT CAVOK`),
    ],
    skipped: { 'unreadable row': 1 },
  },
  {
    what: "XML of AWC's API, up to its end",
    files: {
      'a.xml': `<?xml version="1.0"?>\n<response><data num_results="3">${element('SPECI XAAA 020050Z RMK A&lt;B', '2024-01-02T00:50:00Z', '<latitude>1</latitude><sky_condition/>')}\n${element('<![CDATA[XAAA 020051Z 18004KT]]>', '2024-01-02T00:51:00Z')}${element('XAAA', 'now')}</data></resp`,
    },
    stored: ['awc 00:50 SPECI SPECI XAAA 020050Z RMK A<B', 'awc 00:51 SPECI XAAA 020051Z 18004KT'],
    skipped: { 'unreadable row': 1 },
    refusal: /a\.xml: not loaded: damaged XML: .*; its other reports are kept/,
  },
  {
    what: "JSON and GeoJSON of AWC's API, with a time of observation, of receipt or in the text",
    files: {
      'a.json': JSON.stringify([
        {
          icaoId: 'XAAA',
          obsTime: Date.UTC(2024, 0, 2, 0, 50) / 1000,
          reportTime: '2024-01-02 01:00:00',
          metarType: 'SPECI',
          rawOb: 'SPECI XAAA 18004KT CAVOK',
          lat: 1,
          lon: 2,
          elev: 3,
        },
        {
          icaoId: 'XAAA',
          obsTime: 17,
          reportTime: '2024-01-02T01:00:00.000Z',
          receiptTime: '2024-01-02T00:53:07.123Z',
          rawOb: 'METAR XAAA 020051Z 18004KT',
        },
        { icaoId: 'XAAA' },
      ]),
      'b.geojson': JSON.stringify({
        type: 'FeatureCollection',
        features: [
          { properties: { data: 'METARs' } },
          { properties: { id: 'XAAB', obsTime: '2024-01-02T00:52:00Z', rawOb: 'XAAB 020052Z 18004KT' } },
        ],
      }),
    },
    stored: [
      'awc 00:50 SPECI SPECI XAAA 18004KT CAVOK',
      'awc 00:51 METAR METAR XAAA 020051Z 18004KT',
      'awc 00:52 METAR XAAB 020052Z 18004KT',
    ],
    skipped: { 'unreadable row': 2 },
  },
  {
    what: 'ISD in fixed width',
    files: {
      '999999-99999-2024': [
        line(
          '0050',
          'FM-15',
          'MET06501/01/24 18:50:02 METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020 (AB)EQDQ01+000102SCOTLC',
        ),
        line('0107', 'FM-16', 'SYN005AAXX MET034SPECI XAAA 020107Z 18004KT REMARKS='),
        line('0200', 'FM-12', 'SYN02098765 11982 70404 10100'),
        line('2500', 'FM-15', 'MET034'),
        line('0250', 'FM-15', 'MET034METAR ZZZZ 020250Z 18004KT CAVOK ='),
        line('0350', 'FM-15', 'MET034METAR XAAA 020350Z 18004KT CAVOK $'),
      ].join('\n'),
    },
    stored: [
      'ncei 00:50 METAR METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020',
      'ncei 01:07 SPECI SPECI XAAA 020107Z 18004KT REMARKS',
      'ncei 03:50 METAR METAR XAAA 020350Z 18004KT CAVOK $',
    ],
    skipped: { 'another kind of report': 1, 'unreadable row': 1, 'wrong station': 1 },
  },
  {
    what: 'bulletins with their type once, by report or by heading, with reports of several lines and without their end',
    files: {
      'metar_20240102_0100.txt': [
        ...[SOH, '776 ', 'SAXA70 XXXX 020100', 'METAR'],
        ...['XAAA 020050Z 18004KT', '     9999', '     10/05 Q1020='],
        ...['XAAB 020055Z 18004KT 9999 BKN020 10/05 Q1020=', ETX],
        ...[SOH, '777 ', 'SAXA31 XXXX 020100 RRA'],
        ...[
          'METAR XAAC 020050Z 18004KT 9999 BKN\u0000020',
          '      10/05 Q1020',
          'SPECI XAAC 020107Z 18004KT 9999',
        ],
        ...['      BKN010 10/05 Q1020=', 'METAR XAAD NIL=', ETX],
        ...[
          'SPXA31 XXXX 020115',
          'XAAE 020112Z 18004KT 0300 FG 05/05 Q1020=',
          'WXL SA 1400 AUTO8 M M M 19/06/1806/M=',
        ],
        ...[SOH, '778 ', 'FTXA31 XXXX 020115', 'TAF XAAE 020112Z 0202/0224 18004KT CAVOK=', ETX],
      ].join('\r\r\n'),
    },
    stored: [
      'wmo 00:50 METAR METAR XAAC 020050Z 18004KT 9999 BKN 020 10/05 Q1020',
      'wmo 00:50 METAR XAAA 020050Z 18004KT 9999 10/05 Q1020',
      'wmo 00:55 METAR XAAB 020055Z 18004KT 9999 BKN020 10/05 Q1020',
      'wmo 01:07 SPECI SPECI XAAC 020107Z 18004KT 9999 BKN010 10/05 Q1020',
      'wmo 01:12 SPECI XAAE 020112Z 18004KT 0300 FG 05/05 Q1020',
    ],
    skipped: { 'NIL without time': 1, 'another kind of report': 1, 'text without station and time': 1 },
  },
  {
    what: 'bulletins of days that the user names, and names the reports before their heading',
    files: bulletins('METAR XAAA 020020Z 18004KT=', 'METAR XAAA 020035Z 18004KT=', '776 ', ...ROUTINE),
    options: '--from 2024-01-01 --to 2024-01-20',
    stored: ['wmo 00:50 METAR METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020'],
    skipped: { 'unreadable row': 2 },
    refusal: /2 of 3 rows cannot be read, the first is line 1, "METAR XAAA 020020Z /,
  },
  {
    what: 'corrections that a heading or a line of the type marks, and no old report',
    files: {
      '20240102.txt': `${[
        'SAXA31 XAAA 020100 RRA CCB',
        'XAAA 020050Z 18004KT CAVOK 11/05 Q1020=',
        'METAR XAAB 020050Z COR 18004KT CAVOK 11/05 Q1020=',
        'METAR XAAC 020050Z 18004KT CAVOK 11/05 Q1020=',
        'SAXA31 XAAA 020100 COR',
        'XAAE 020050Z 18004KT CAVOK 11/05 Q1020=',
        'SAXA31 XAAA 020100',
        'METAR COR',
        'XAAD 020050Z 18004KT CAVOK 11/05 Q1020=',
        'XAAD 302350Z 18004KT CAVOK 11/05 Q1020=',
      ].join('\n')}\n`,
    },
    stored: [
      'wmo 00:50 METAR CCB XAAA 020050Z 18004KT CAVOK 11/05 Q1020',
      'wmo 00:50 METAR METAR XAAB 020050Z COR 18004KT CAVOK 11/05 Q1020',
      'wmo 00:50 METAR METAR CCB XAAC 020050Z 18004KT CAVOK 11/05 Q1020',
      'wmo 00:50 METAR COR XAAE 020050Z 18004KT CAVOK 11/05 Q1020',
      'wmo 00:50 METAR COR XAAD 020050Z 18004KT CAVOK 11/05 Q1020',
    ],
    skipped: { 'the text has another time': 1 },
  },
  {
    what: 'each report of a text that holds two (D87)',
    files: {
      'a.csv': `station,valid,metar
XAAA,2024-01-02 00:50,XAAA 020050Z 18004KT CAVOK 10/05 Q1020 XAAA 020120Z 19004KT CAVOK 10/05 Q1020
XAAB,2024-01-02 00:50,XAAB 020050Z 18004KT CAVOK 10/05 Q1020= METAR XAAC 020050Z 18004KT CAVOK 10/05 Q1020\n`,
    },
    options: '--stations XAAA,XAAC',
    stored: [
      'iem 00:50 METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020',
      'iem 01:20 METAR XAAA 020120Z 19004KT CAVOK 10/05 Q1020',
      'iem 00:50 METAR METAR XAAC 020050Z 18004KT CAVOK 10/05 Q1020',
    ],
    skipped: { 'not of --stations': 1 },
  },
  {
    what: 'no bulletins whose month neither name nor options say',
    files: bulletins(...ROUTINE),
    stored: [],
    skipped: { 'unreadable row': 1 },
    refusal:
      /bulletins\.txt: .*expected bulletins .* in a file whose name has its date.* or with --from and --to/,
  },
  {
    what: "GHCNh by station: ISD's blocks and texts alone, of the station itself",
    files: {
      'GHCNh_XXI0000XAAA_por.psv': [
        'Station_ID|Station_name|Year|Month|Day|Hour|Minute|temperature|remarks|remarks_Report_Type',
        'XXI0000XAAA|A TOWN|2024|1|2|0|50|10.0|MET06201/01/24 18:50:02 METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020|',
        'XXI0000XAAA|A TOWN|2024|01|02|01|07|10.0|SPECI XAAA 020107Z 18004KT 0300 FG 05/05 Q1020|',
        'XXI0000XAAA|A TOWN|2024|01|02|02|00|10.0||',
        'XXI0000XAAA|A TOWN|2024|01|02|03|00|10.0|SYN02098765 11982 70404 10100|',
        'XXI0000XAAA|A TOWN|2024|01|02|03|50|10.0|METAR XAAB 020350Z 18004KT CAVOK 10/05 Q1020|',
        'XXI0000XAAA|A TOWN|2024|01|02|04|50|10.0|MET150METAR XAAA 020450Z 18004KT CAVOK 10/|',
        '',
      ].join('\n'),
    },
    stored: [
      'ghcnh 00:50 METAR METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020',
      'ghcnh 01:07 SPECI SPECI XAAA 020107Z 18004KT 0300 FG 05/05 Q1020',
    ],
    skipped: { 'another kind of report': 1, 'cut short': 1, 'no text': 1, 'wrong station': 1 },
  },
  {
    what: 'GHCNh by year',
    files: {
      'GHCNh_XXW00012345_2024.psv':
        'STATION|Station_name|DATE|temperature|remarks\nXXW00012345|A|2024-01-02T00:50:00|1|METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020\nXXW00012345|A|2024-13-02T00:50:00|1|\nXXW00012345|A|2024-01-02T01:50:00|1|\n',
    },
    stored: ['ghcnh 00:50 METAR METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020'],
    skipped: { 'no text': 1, 'unreadable row': 1 },
  },
  {
    what: "the text of Ogimet's page, with reports of several lines, NIL and forecasts",
    files: {
      'page.txt': `# Query made at 01/19/2020 16:18:32 UTC\n#  METAR/SPECI from XAAA
202401020050 METAR XAAA 020050Z 18004KT CAVOK
                        10/05
                        Q1020=
202401020107 SPECI XAAA 020107Z 18004KT 0300 FG 05/05 Q1020=
202401020200 METAR XAAA NIL=
# short TAF
202401020200 TAF XAAA 020150Z 0203/0212 18004KT
                        CAVOK=
`,
    },
    stored: [
      'ogimet 00:50 METAR METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020',
      'ogimet 01:07 SPECI SPECI XAAA 020107Z 18004KT 0300 FG 05/05 Q1020',
    ],
    skipped: { 'NIL without time': 1, 'another kind of report': 1 },
  },
  ...(
    [
      ['format=tdf', '#DEBUG: tdf\nstation\tvalid\tmetar\nXAAA\t2024-01-02 00:50\t$\n'],
      [
        'blanks after the commas of the header',
        'station,valid,tmpf, dwpf, metar\nXAAA,2024-01-02 00:50,50, 41,"$"\n',
      ],
      ['only the values quoted that need it', 'station,valid,metar,x\nXAAA,2024-01-02 00:50,"$",""\n'],
      ['names in capitals', 'STATION,VALID,METAR\nXAAA,2024-01-02 00:50,"$"\n'],
      ['a quoted line break', 'station,valid,metar\nXAAA,2024-01-02 00:50,"$\n"\n'],
      ['semicolons of a spreadsheet', 'station;valid;metar\r\nXAAA;2024-01-02 00:50;$\r\n'],
      [
        "the quotes and the midnight of R's write.csv",
        '"","station","valid","metar"\n"1","XAAA",2024-01-02,"$"\n',
      ],
    ] as const
  ).map(
    ([what, text]): Case => ({
      what: `asos.py with ${what}`,
      files: { 'asos.csv': text.replace('$', 'XAAA 020050Z 18004KT CAVOK, 10/05 Q1020') },
      stored: ['iem 00:50 METAR XAAA 020050Z 18004KT CAVOK, 10/05 Q1020'],
    }),
  ),
  ...(
    [
      ['semicolons of a spreadsheet', 'XAAA;2024;1;2;0;50;$\n'],
      [
        "what R's write.csv quotes",
        '"ESTACION","ANO","MES","DIA","HORA","MINUTO","PARTE"\n"XAAA",2024,1,2,0,50,"$"\n',
      ],
    ] as const
  ).map(
    ([what, text]): Case => ({
      what: `getmetar with ${what}`,
      files: { 'getmetar.csv': text.replace('$', 'METAR XAAA 020050Z 18004KT CAVOK, 10/05 Q1020=') },
      stored: ['ogimet 00:50 METAR METAR XAAA 020050Z 18004KT CAVOK, 10/05 Q1020'],
    }),
  ),
  {
    what: 'as failed a file that the source has ended early',
    files: {
      'a.csv':
        'XAAA,2024,01,02,00,50,METAR XAAA 020050Z 18004KT=\n#Sorry, Your quota limit for slow queries rate has been reached\nXAAA,2024,01,02,01,50,METAR XAAA 020150Z 18004KT=\n',
    },
    stored: [
      'ogimet 00:50 METAR METAR XAAA 020050Z 18004KT',
      'ogimet 01:50 METAR METAR XAAA 020150Z 18004KT',
    ],
    skipped: { 'unreadable row': 1 },
    refusal: /1 of 3 rows cannot be read, the first is line 2, "#Sorry, .*; its other reports are kept/,
  },
  {
    what: 'as failed a file without a row that is a report, with the reasons',
    files: {
      'a.csv':
        'STATION,DATE,REPORT_TYPE,CALL_SIGN,REM\n9,2024-01-01 19:50,FM-15,XAAA,MET023METAR XAAA 020050Z CAVOK\n9,2024-01-02,FM-15,99999,MET023METAR XAAA 020050Z CAVOK\n',
    },
    stored: [],
    skipped: { 'ISD station id, and no isd-history.csv among the files': 1, 'the text has another time': 1 },
    refusal: /no row is a report: 1 ISD station id, and no isd-history.csv among the files, 1 the text/,
  },
  {
    what: 'as failed a file in which most texts have other times than their rows',
    files: {
      'a.csv':
        'station,valid,metar\nXAAA,2024-01-02,XAAA 020050Z CAVOK\nXAAA,2024-01-02,XAAA 021250Z CAVOK\nXAAA,2024-01-02,XAAA 022350Z CAVOK\n',
    },
    stored: ['iem 00:50 METAR XAAA 020050Z CAVOK'],
    skipped: { 'the text has another time': 2 },
    refusal: /the times of 2 texts are not near those of their rows, .*; its other reports are kept/,
  },
  {
    what: 'as loaded a file of reports that no one asked for, one of placeholders, and empty answers',
    files: {
      'a.csv':
        'station,valid,metar\nXAAA,2024-01-02 00:50,XAAA 020050Z CAVOK\nXAAB,2024-02-02 00:50,XAAB 020050Z CAVOK\n',
      'b.csv': 'XAAB,2024,02,02,00,50,METAR XAAB NIL=\n',
      'c.csv': 'station,valid,metar\n',
      'c.json': '[]',
      'd.json': '{"data":[],"meta":{"hasMore":false}}',
      'e.geojson': '{"type":"FeatureCollection","features":[]}',
      'f.xml': '<?xml version="1.0"?>\n<response><data num_results="0"/></response>',
      'g.tar': '\0'.repeat(1024),
      'h.json': '{"data":[],"meta":{"hasMore":true}}{\n "data":[],"meta":{"hasMore":true}}',
    },
    options: '--stations XAAB --from 2024-01-01 --to 2024-02-01',
    stored: [],
    skipped: {
      'NIL without time': 1,
      'not of --stations': 1,
      'outside 2024-01-01 to 2024-01-31 (--from, --to)': 1,
    },
    said: [
      'b.csv: no row is a report: 1 NIL without time; expected rows of getmetar',
      ...['c.csv', 'c.json', 'd.json', 'e.geojson', 'f.xml', 'g.tar'].map(
        (name) => `${name}: it has no rows`,
      ),
      'h.json: its last page has hasMore: load the pages that follow too',
    ],
  },
  ...(
    [
      ['it has no column metar: ask IEM for data=metar', 'station,valid,tmpf\nAAA,2024-01-02 00:50,50\n'],
      ['its lines end in CR alone: save it with line feeds', 'XAAA,2024,01,02,00,50,METAR XAAA 020050Z=\r'],
      [
        'it says "Query must be constrained by time"',
        '<response><errors><error>Query must be constrained by time</error></errors><data num_results="0"/></response>',
      ],
      ['it is UTF-16: save it as UTF-8', '\xff\xfes\0t\0a\0t\0i\0o\0n\0'],
      ['it is a zip archive or a spreadsheet: unpack it, or save it as CSV', 'PK\x03\x04\x14\0\n\x01\x02\n'],
      ['it is compressed with bzip2: unpack it first', 'BZh91AY&SY'],
      ['it is compressed with xz: unpack it first', '\xfd7zXZ\0'],
      [
        "it is XML, but not that of AWC's API (format=xml)",
        '<?xml version="1.0"?>\n<collect:MeteorologicalBulletin/>\n',
      ],
      [
        "it is JSON, but neither that of AWC's API nor that of this service with include=raw",
        '{"data":[{"id":"X"}]}',
      ],
      [
        'it is the manifest of a snapshot: load its folder with the command restore',
        '{\n "format": "historical-observations/snapshot"\n}',
      ],
      ['its records have no text: ask for include=raw', 'id,station,observedAt,type,parseStatus,temp_c\n'],
      ['its records have no text: ask for include=raw', '{"id":"XAAA","station":"XAAA"}\n'],
      [
        'it is Local Climatological Data (LCD) with local times: load global hourly (ISD) or GHCNh',
        '"STATION","DATE","REPORT_TYPE","HourlyDryBulbTemperature","REM"\n',
      ],
      ['it is the list of stations of ISD: load it beside the files as isd-history.csv', 'USAF,WBAN,ICAO\n'],
      ['it has no column REM: load whole files of global hourly (ISD)', 'STATION,DATE,REPORT_TYPE,TMP\n'],
      [
        'it is data of Meteostat, which has no texts of reports: load another source',
        'date,hour,temp,dwpt,rhum\n2024-01-02,0,10.0,5.0,71\n',
      ],
      [
        'its reports have no month and year: ask IEM without nometa, or AWC for format=json',
        'METAR XAAA 020050Z 18004KT CAVOK\n',
      ],
      ['it is a tar archive: let its name end in .tar or .tar.gz', `a.csv${'\0'.repeat(252)}ustar`],
      ['it is Arrow: ask for Parquet', '\xff\xff\xff\xff'],
    ] as const
  ).map(
    ([refusal, content]): Case => ({
      what: `why a file is not loaded: ${refusal}`,
      files: { a: content },
      stored: [],
      refusal,
    }),
  ),
  ...(
    [
      [
        '01Z.TXT',
        '2024/01/02 00:50\nXAAA 020050Z 18004KT CAVOK 10/05 Q1020\n\n<html>Oopsy</html>\n',
        'tgftp',
        '',
      ],
      ['20240102.txt', `${ROUTINE.join('\n')}\nMETAR XAAA 020150Z 18004KT\n   9999 BKN0`, 'wmo', 'METAR '],
      [
        'page.txt',
        '202401020050 METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020=\nOopsy, something failed\n',
        'ogimet',
        'METAR ',
      ],
      [
        'r.csv',
        '"station","valid","metar"\n"XAAA","2024-01-02 00:50","XAAA 020050Z 18004KT CAVOK 10/05 Q1020"\nOopsy\n',
        'iem',
        '',
      ],
      [
        'g.psv',
        'Station_ID|DATE|remarks\nX|2024-01-02T00:50:00|METAR XAAA 020050Z 18004KT CAVOK 10/05 Q1020\nX|2024-01',
        'ghcnh',
        'METAR ',
      ],
    ] as const
  ).map(
    ([name, text, source, keyword]): Case => ({
      what: `as failed a file whose last row cannot be read (D68): ${source}`,
      files: { [name]: text },
      stored: [`${source} 00:50 METAR ${keyword}XAAA 020050Z 18004KT CAVOK 10/05 Q1020`],
      skipped: { 'unreadable row': 1 },
      refusal: /1 of [23] rows cannot be read, the first is line \d/,
    }),
  ),
];

describe('import of other files', () => {
  const archive = useArchive('each');

  for (const { what, files, options, stored, skipped = {}, refusal, said: remarks } of CASES)
    it(`reads ${what}`, async () => {
      const bytes = Object.entries(files).map(([name, content]) => [name, Buffer.from(content, 'latin1')]);
      const more = options === undefined ? '' : ` ${options}`;
      const { said, tally } = await importInto(archive.client, Object.fromEntries(bytes), { more });
      const rows = await readAllReports(archive.client);
      assert.deepEqual(
        rows
          .map(({ source, observedAt, type, raw }) =>
            [source, new Date(observedAt * 1000).toISOString().slice(11, 16), type, raw].join(' '),
          )
          .sort(),
        [...stored].sort(),
      );
      assert.deepEqual({ ...tally.skipped }, skipped, said.join('\n'));
      assert.equal(tally.slicesFailed, refusal === undefined ? 0 : 1, said.join('\n'));
      if (typeof refusal === 'string') assert.deepEqual(said, [`a: not loaded: ${refusal}`]);
      else if (refusal !== undefined) assert.match(said.join('\n'), refusal);
      if (remarks !== undefined) assert.deepEqual(said, remarks);
    });
});
