import assert from 'node:assert/strict';
import promises, { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Archive } from '../../../../../clickhouse/archive.ts';
import { readListings } from '../../../../../clickhouse/coverage/station-listings.ts';
import { yearWindow } from '../../../../../clickhouse/model/time-window.ts';
import { hasLoaders } from '../../../../../clickhouse/observations/writers.ts';
import { readKnownStations } from '../../../../../clickhouse/stations.ts';
import { scopeOf } from '../../../../../loader/args/options.ts';
import { findGaps } from '../../../../../loader/checks/gaps.ts';
import {
  describeStations,
  NO_LIMIT,
  readAllReports,
  useArchive,
} from '../../../../support/archive/archive.ts';
import { readCoverageNow } from '../../../../support/archive/records.ts';
import { importInto, runLoader } from '../../../../support/loader/run-load.ts';
import { netcdfFile } from '../../../../support/sources/netcdf-file.ts';
import { MADIS_VARIABLES } from '../../../../support/sources/replay-madis.ts';
import { newFolder } from '../../../../support/test-run.ts';

const IEM = `#DEBUG: Format Typ    -> comma
station,valid,tmpf,metar,feel
JFK,2024-01-02 00:51,30.00,KJFK 020051Z 18004KT 10SM CLR M01/M05 A3001,M
JFK,2024-01-02 01:51,30.00,KJFK 020151Z 18004KT 10SM CLR M01/M05 A3002,M
JFK,2024-01-02 02:05,30.00,KJFK 020205Z AUTO 18004KT A3002 MADISHF,M
JFK,2024-01-02 02:51,30.00,KJFK 020251Z 18004KT 10SM CLR M01/M05 RMK IEM_DS3505,M
JFK,2024-01-02 03:51,30.00,M,M
JFK,yesterday,30.00,KJFK 020351Z 18004KT,M
12345,2024-01-02 03:51,30.00,12345 020351Z 18004KT,M
JFK,2004-12-31 23:51,30.00,KJFK 312351Z 18004KT 10SM CLR M01/M05 A3001,M
`;
const OGIMET = `LEBL,2024,01,02,00,00,METAR LEBL 020000Z 18004KT CAVOK 10/05, Q1020=
LEBL,2024,01,02,00,30,METAR LEBL NIL=
KJFK,2024,01,02,00,51,METAR KJFK 020051Z 18004KT 10SM CLR M01/M05 A3001=
`;
const HISTORY = `"USAF","WBAN","STATION NAME","CTRY","STATE","ICAO","LAT","LON","ELEV(M)","BEGIN","END"
"744860","94789","KENNEDY","US","NY","KJFK","+40","-73","+3","19730101","20250824"
`;
const isd = (id: string, time: string, text: string) =>
  `"${id}","2024-01-02T${time}:00","4","FM-15 ","99999","MET${String(text.length).padStart(3, '0')}${text}",""\n`;
const NCEI = `"STATION","DATE","SOURCE","REPORT_TYPE","CALL_SIGN","REM","EQD"
${isd('74486094789', '01:51', 'METAR KJFK 020151Z 18004KT 10SM CLR M01/M05 A3002=')}${isd('99999999999', '01:51', 'METAR KXXX 020151Z=')}`;
const AWC_COLUMNS = 'raw_text,station_id,observation_time,sky_cover,sky_cover,metar_type';
const AWC = `No errors\nNo warnings\n9 ms\ndata source=metars\n2 results\n${AWC_COLUMNS}
EGLL 020050Z 18004KT CAVOK 10/05 Q1020,EGLL,2024-01-02T00:50:00Z,,,METAR
EGLL 300050Z 18004KT CAVOK 10/05 Q1020,EGLL,2024-02-30T00:50:00Z,,,METAR
"LFPG 020107Z 18004KT CAVOK, 10/05 Q1020",LFPG,2024-01-02T01:07:00Z,,,SPECI
`;
const AWC_LATER = `${AWC_COLUMNS}\n"SPECI LFPO 020107Z 18004KT\nCAVOK 10/05 Q1020 ",LFPO,2024-01-02T01:07:00.000Z,,,SPECI\n`;

async function tarOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

describe('import of files', () => {
  const archive = useArchive('each');
  let client: Archive;
  let folder: string;
  beforeEach(async () => {
    client = archive.client;
    folder = newFolder();
  });

  const load = async (files: Readonly<Record<string, string | Buffer>>, more = '', afterSlice = NO_LIMIT) => {
    const { said, tally } = await importInto(client, files, { more, folder, afterSlice });
    return { unread: tally.slicesFailed, said, tally };
  };
  const storedReports = async () =>
    (await readAllReports(client)).map(({ source, type, raw }) => `${source} ${type} ${raw}`).sort();

  const MIRROR = {
    'iem/JFK_2024.csv.gz': gzipSync(IEM),
    'ogimet/LEBL.csv': OGIMET,
    'isd/isd-history.csv': HISTORY,
    'isd/2024/74486094789.csv': NCEI,
    'awc/metars.cache.csv.gz': gzipSync(AWC),
    'awc/later.csv': AWC_LATER,
  };

  it('recognizes every format, keeps the source of each report, and counts skipped rows by reason', async () => {
    const { unread, tally, said } = await load(MIRROR);
    assert.equal(unread, 0);
    assert.deepEqual(said, [
      `awc/metars.cache.csv.gz: 1 of 3 rows cannot be read, the first is line 8, "EGLL 300050Z 18004KT CAVOK 10/05 Q1020,EGLL,2024-02-30T00:50:00Z,,,METAR"; expected rows of raw_text, station_id, observation_time, with times such as 2024-01-31T12:51:00Z`,
      `iem/JFK_2024.csv.gz: 1 of 8 rows cannot be read, the first is line 8, "JFK,yesterday,30.00,KJFK 020351Z 18004KT,M"; expected rows of station, valid, metar, with times such as 2024-01-31 12:51 in UTC`,
    ]);
    assert.deepEqual(await storedReports(), [
      'awc METAR EGLL 020050Z 18004KT CAVOK 10/05 Q1020',
      'awc SPECI LFPG 020107Z 18004KT CAVOK, 10/05 Q1020',
      'awc SPECI SPECI LFPO 020107Z 18004KT CAVOK 10/05 Q1020',
      'ncei METAR METAR KJFK 020151Z 18004KT 10SM CLR M01/M05 A3002',
      'ogimet METAR METAR KJFK 020051Z 18004KT 10SM CLR M01/M05 A3001',
      'ogimet METAR METAR LEBL 020000Z 18004KT CAVOK 10/05, Q1020',
    ]);
    assert.deepEqual(tally.skipped, {
      'synthetic 5-minute data (MADISHF)': 1,
      'rebuilt from fields (IEM_DS3505)': 1,
      'empty text': 1,
      'unreadable row': 2,
      'not an ICAO code': 2,
      [`outside 2005-01-01 to ${new Date().toISOString().slice(0, 10)} (--from, --to)`]: 1,
      'NIL without time': 1,
    });
  });

  it('fails where a folder has no file', async () => {
    const { code, stdout } = await runLoader(archive, `import ${newFolder()}`);
    assert.deepEqual([code, stdout], [3, 'There is no file to load.\n']);
  });

  it('has ended in good order when it is stopped between two files, so no removal waits for it', async () => {
    const stop = new AbortController();
    client = {
      ...archive.client,
      async insert(rows, signal) {
        stop.abort();
        await archive.client.insert(rows, signal);
      },
    };
    const { tally } = await load(MIRROR, '', stop.signal);
    assert.equal(tally.inserted, 1);
    assert.equal(await hasLoaders(client, yearWindow(2024), Date.now() / 1000 + 60), false);
  });

  it('loads only the named stations and days, and inserts nothing the second time but the row of a killed one', async () => {
    const slices = async () =>
      `${await client.select({ query: "SELECT arrayStringConcat(arraySort(groupArray(source)), ' ') FROM slices FORMAT TSV" })}`;
    const scope = ' --stations KJFK --from 2024-01-02 --to 2024-01-03';
    const isKilledAt = (table: string) => (table === 'slices' ? assert.fail('killed') : undefined);
    client = { ...client, insert: async (rows) => isKilledAt(rows.table) ?? archive.client.insert(rows) };
    await assert.rejects(load(MIRROR, scope), /killed/);
    client = archive.client;
    assert.equal((await load(MIRROR, scope)).tally.inserted, 2);
    assert.equal(await slices(), 'iem ncei ogimet\n');
    await load(MIRROR);
    const first = [await storedReports(), await slices()];
    assert.equal((await load(MIRROR)).tally.inserted, 0);
    assert.deepEqual([await storedReports(), await slices()], first);
  });

  it('holds a report once that sources send in UTF-8, Latin-1 and ASCII, as the most faithful one (D69)', async () => {
    const row = (remark: string) => `SPJC,2024,01,01,00,00,METAR SPJC 010000Z 18010KT CAVOK RMK ${remark}=\n`;
    const tar = await tarOf({ 'latin1.csv': Buffer.from(row('NIÑO T°'), 'latin1') });
    const files = {
      'a.csv': 'station,valid,metar\nSPJC,2024-01-01 00:00,SPJC 010000Z 18010KT CAVOK RMK NIO T\n',
      'b.csv.gz': gzipSync(row('NIÑO T°')),
      'c.tar.gz': gzipSync(tar),
    };
    assert.deepEqual((await load(files)).unread, 0);
    assert.deepEqual(await storedReports(), ['ogimet METAR METAR SPJC 010000Z 18010KT CAVOK RMK NIÑO T°']);
  });

  it('fails a file if most of its rows or the last cannot be read, names the first such row, and keeps the others (D68)', async () => {
    const header = 'station,valid,metar\n';
    const row = (valid: string, minute = '00') => `CYAA,${valid},CYAA 0200${minute}Z 18004KT CAVOK\n`;
    const [good, pandas] = [row('2024-01-02 00:00'), row('2024-01-02 00:01:00', '01')];
    const bad = row('1/2/2024 0:02', '02');
    const { unread, said, tally } = await load({
      'error.csv': `${header}${good}${pandas}Oopsy, something failed on our end...\n`,
      'excel.csv': header + bad + bad,
      'half.csv': header + bad + good,
      'most.csv.gz': gzipSync(header + bad + bad + good),
      'unended.csv': header + good + pandas.trimEnd(),
      'whole.tar': await tarOf({ 'in.csv': header + good + bad }),
    });
    assert.deepEqual(
      said.map((line) => line.split('; expected')[0]),
      [
        `error.csv: not loaded: 1 of 3 rows cannot be read, the first is line 4, "Oopsy, something failed on our end..."`,
        `excel.csv: not loaded: 2 of 2 rows cannot be read, the first is line 2, "${bad.trimEnd()}"`,
        `half.csv: 1 of 2 rows cannot be read, the first is line 2, "${bad.trimEnd()}"`,
        `most.csv.gz: not loaded: 2 of 3 rows cannot be read, the first is line 2, "${bad.trimEnd()}"`,
        `unended.csv: not loaded: 1 of 2 rows cannot be read, the first is line 3, "${pandas.trimEnd()}", which has no line feed and may be cut off`,
        `whole.tar/in.csv: not loaded: 1 of 2 rows cannot be read, the first is line 3, "${bad.trimEnd()}"`,
      ],
    );
    assert.deepEqual([unread, tally.inserted], [5, 2]);
    assert.match(said.join('\n'), /^error\.csv: .*; its other reports are kept$/m);
  });

  it('keeps a code that is one letter off, unless it is that of another station (D67)', async () => {
    const rows = (...codes: readonly (readonly [row: string, text: string])[]) =>
      codes.map(([row, text], at) => {
        const minute = String(at).padStart(2, '0');
        return `${row},2024,01,02,00,${minute},METAR ${text} 0200${minute}Z 18004KT CAVOK=\n`;
      });
    const isd = `${HISTORY}"711010","99999","A","CA","","CYAA","+50","-100","+3","20040101","20250824"\n`;
    await load({ 'known.csv': rows(['CYBB', 'CYBB']).join('') });
    const { tally } = await load({
      'isd-history.csv': isd,
      'slips.csv': rows(
        ['CYBA', 'CYBX'],
        // Known by the archive, by the list of the folder, and by a row of the same file.
        ['CYBA', 'CYBB'],
        ['CYBA', 'CYAA'],
        ['CYBC', 'CYBC'],
        ['CYBA', 'CYBC'],
      ).join(''),
    });
    assert.deepEqual(tally.skipped, { 'wrong station': 3 });
    const stored = (await readAllReports(client)).map(({ station, raw }) => `${station} ${raw.slice(6, 10)}`);
    assert.deepEqual(stored.sort(), ['CYBA CYBX', 'CYBB CYBB', 'CYBC CYBC']);
  });

  it('reads hour files of MADIS, compressed or not, with the types that they state, and names a damaged one', async () => {
    const record = (rawMETAR: string, reportType = 'METAR', stationName = rawMETAR.slice(0, 4)) => ({
      stationName,
      reportType,
      rawMETAR,
      timeObs: Date.UTC(2024, 0, 2, 0, 20) / 1000,
    });
    const hour = netcdfFile(MADIS_VARIABLES, [
      record('EGKK 020020Z 18004KT CAVOK 10/05 Q1020', 'SPECI'),
      record('EGLL 020020Z 18004KT CAVOK 10/05 Q1020'),
      record('EGLL 030020Z 18004KT CAVOK 10/05 Q1020'),
      record('K1V4 020020Z 18004KT', 'METAR', 'K1V45'),
    ]);
    const { unread, said, tally } = await load({
      '20240102_0000.gz': gzipSync(hour),
      '20240102_0000': hour,
      '20240102_0100.gz': gzipSync(hour.subarray(0, -200)),
    });
    assert.equal(unread, 1);
    assert.match(said.join('\n'), /20240102_0100\.gz.*NetCDF/);
    assert.deepEqual(await storedReports(), [
      'madis METAR EGLL 020020Z 18004KT CAVOK 10/05 Q1020',
      'madis SPECI EGKK 020020Z 18004KT CAVOK 10/05 Q1020',
    ]);
    assert.deepEqual(tally.skipped, { 'the text has another time': 2, 'not an ICAO code': 2 });
  });

  it('makes no day done, because a file does not say which days were requested (D13)', async () => {
    await load(MIRROR);
    const range = { from: Date.UTC(2024, 0, 2) / 1000, to: Date.UTC(2024, 0, 3) / 1000 };
    const { stations } = await readCoverageNow(client, { stations: ['KJFK', 'EGKK'], ...range });
    assert.deepEqual(
      stations.map(({ status, yearsDone }) => [status, yearsDone]),
      [
        ['partial', 0],
        ['none', 0],
      ],
    );
    assert.deepEqual(await readListings(client, { stations: ['KJFK'] }), []);
    assert.deepEqual((await findGaps(client, scopeOf(undefined, {}), new Date())).gaps, []);
  });

  it('describe their stations by the places of rows, where no source does', async () => {
    await describeStations(client, [
      { source: 'ncei', station: 'XAAC', position: { latitude: 1, longitude: 2 }, elevation_m: 3 },
    ]);
    const ghcnh = 'STATION|DATE|LATITUDE|LONGITUDE|ELEVATION|remarks\nXXW00012345|2024-01-02T00:50:00|';
    const iem = 'station,valid,lon,lat,elevation,metar\n';
    await load({
      'a.psv': `${ghcnh}40.5|-3.25|-999.9|METAR XAAA 020050Z 18004KT\n`,
      'b.csv': `${iem}XAAB,2024-01-02 00:50,25.5,-33.5,610.00,XAAB 020050Z 18004KT\nXAAD,2024-01-02 00:50,0,0,0,XAAD 020050Z 18004KT\n`,
      'c.psv': `${ghcnh}40.5|-3.25|12|METAR XAAC 020050Z 18004KT\n`,
    });
    const known = await readKnownStations(
      client,
      { stations: ['XAAA', 'XAAB', 'XAAC', 'XAAD'] },
      undefined,
      9,
    );
    assert.deepEqual(
      known.map(({ position, elevation_m }) => [position?.latitude, position?.longitude, elevation_m]),
      [
        [40.5, -3.25, undefined],
        [-33.5, 25.5, 610],
        [1, 2, 3],
        [undefined, undefined, 0],
      ],
    );
  });

  it('reads the files of a tar archive, compressed or not, as those of a folder', async () => {
    const { 'isd/isd-history.csv': history, ...files } = MIRROR;
    const tar = await tarOf(files);
    const first = await load({ 'mirror.tar': tar, 'isd-history.csv': history });
    // Five files, and the archive itself.
    assert.deepEqual([first.unread, first.tally.slicesDone, first.tally.slices], [0, 6, 6]);
    const loaded = await storedReports();
    assert.equal(loaded.length, 6);
    const again = await load({ 'mirror.tar.gz': gzipSync(tar), 'mirror.TGZ': gzipSync(tar) });
    assert.deepEqual([again.unread, again.tally.inserted], [0, 0]);
    assert.deepEqual(await storedReports(), loaded);
  });

  it('names a tar archive that is cut off or is none, and the files in it of no known format', async () => {
    const tar = await tarOf({ 'a.csv': OGIMET, 'notes.txt': 'a\nb\nc\nd\ne\nf\ng\n', 'b.csv': IEM });
    // The archive ends with 1,024 bytes of nothing.
    const { unread, said } = await load({
      'cut.tar': tar.subarray(0, -1500),
      'page.tar': '<!DOCTYPE html>'.repeat(99),
      'short.tgz': gzipSync(tar).subarray(0, -40),
    });
    assert.match(
      said.join('\n'),
      /^cut\.tar\/notes\.txt: not loaded: the format of the file is not known, its first line is "a": see "Files"/m,
    );
    for (const name of ['cut.tar', 'cut.tar/b.csv'])
      assert.match(said.join('\n'), new RegExp(`^${name}: not loaded: .*end of data`, 'm'));
    assert.match(said.join('\n'), /^short\.tgz: not loaded: .*unexpected end of file/m);
    assert.match(said.join('\n'), /^page\.tar: not loaded: .*Invalid tar header/m);
    assert.equal(unread, 5);
    assert.ok((await storedReports()).some((line) => line.startsWith('ogimet')));
  });

  it('names files that are damaged or of HTML, and keeps the reports before the damage', async () => {
    const long = `station,valid,metar\n${Array.from({ length: 4000 }, (_, at) => {
      const time = new Date(Date.UTC(2024, 0, 1, 0, at * 20)).toISOString();
      const group = `${time.slice(8, 10)}${time.slice(11, 13)}${time.slice(14, 16)}Z`;
      return `ZZZA,${time.slice(0, 16).replace('T', ' ')},ZZZA ${group} 1${(at * 7919) % 90}04KT CAVOK\n`;
    }).join('')}`;
    const { unread, said } = await load({
      'cut.csv.gz': gzipSync(long).subarray(0, 12_000),
      'page.csv': '<!DOCTYPE html>\n',
    });
    assert.equal(unread, 2);
    assert.match(said.join('\n'), /cut\.csv\.gz: not loaded: .*unexpected end of file/);
    assert.match(said.join('\n'), /page\.csv: not loaded: it is a page of HTML/);
    assert.ok((await storedReports()).length > 100);
  });

  it('names a file that changes while it is read, and keeps its reports', async () => {
    const { client: archived } = archive;
    client = {
      ...archived,
      async insert(insert, signal) {
        await appendFile(join(folder, 'growing.csv'), 'LEBL,2024,01,02,01,00,METAR LEBL 0201');
        return archived.insert(insert, signal);
      },
    };
    const { unread, said } = await load({ 'growing.csv': OGIMET });
    assert.equal(unread, 1);
    assert.match(said.join('\n'), /growing\.csv: not loaded: it changed while it was read: import it again/);
    client = archived;
    assert.ok((await storedReports()).length > 0);
    assert.equal((await load({ 'growing.csv': OGIMET })).unread, 0);
  });

  it('follows links to files and folders, each once, and names links without target and closed folders', async () => {
    const elsewhere = newFolder();
    await mkdir(join(elsewhere, 'ogimet'));
    await writeFile(join(elsewhere, 'ogimet', 'a.csv'), OGIMET);
    await writeFile(join(elsewhere, 'b.csv'), AWC);
    await symlink(join(elsewhere, 'ogimet'), join(folder, 'ogimet'));
    await symlink(folder, join(folder, 'itself'));
    await symlink(join(elsewhere, 'b.csv'), join(folder, 'b.csv'));
    await symlink(join(elsewhere, 'gone.csv'), join(folder, 'gone.csv'));
    const { readdir } = promises;
    const openFolder = (path: string) => (path.endsWith('closed') ? assert.fail('EACCES') : readdir(path));
    await mkdir(join(folder, 'closed'));
    promises.readdir = (async (path: string) => openFolder(path)) as typeof readdir;
    syncBuiltinESMExports();
    const { unread, tally, said } = await load({});
    promises.readdir = readdir;
    syncBuiltinESMExports();
    assert.deepEqual([unread, tally.inserted], [2, 4]);
    assert.match(said.join('\n'), /closed: not loaded: E.*\ngone\.csv.*ENOENT/);
  });

  it('settles the types of many stations over the year, for any division into files', async () => {
    const stations = Array.from({ length: 60 }, (_, at) => `ZZ${String(at).padStart(2, '0')}`);
    const row = (station: string, time: string) =>
      `${station},2024-01-${time},${station} ${time.replace(/[ :]/g, '')}Z 18004KT CAVOK\n`;
    const hours = Array.from({ length: 24 }, (_, hour) => `02 ${String(hour).padStart(2, '0')}:51`);
    const header = 'station,valid,metar\n';
    await load({
      // The next file shows whether minute 7 is that of a METAR.
      'a.csv': header + stations.map((station, n) => row(station, n < 5 ? '01 00:07' : '01 00:51')).join(''),
      'b.csv': header + hours.flatMap((hour) => stations.map((station) => row(station, hour))).join(''),
    });
    const types = (await storedReports()).map((line) => `${line.split(' ')[1]} ${line.slice(-17, -15)}`);
    assert.equal(types.filter((type) => type.startsWith('SPECI')).length, 5);
    assert.equal(types.filter((type) => type.startsWith('METAR')).length, 60 * 25 - 5);
  });
});
