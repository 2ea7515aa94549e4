import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readHourFile } from '../../../../loader/sources/madis.ts';
import { netcdfFile } from '../../../support/sources/netcdf-file.ts';
import { MADIS_VARIABLES } from '../../../support/sources/replay-madis.ts';

const rowsOf = (file: Buffer) => Readable.from(readHourFile(file)).toArray();
const RECORDS = ['KJFK', 'EGLL', 'ZZZZ'].map((stationName, at) => ({
  stationName,
  latitude: 1,
  timeObs: 1_704_067_200 + at,
  reportType: at === 1 ? 'SPECI' : 'METAR',
  rawMETAR: `${stationName} 010000Z 18004KT`,
}));
const FILE = netcdfFile(MADIS_VARIABLES, RECORDS);

describe('hour file of MADIS', () => {
  it('has its records, texts without what fills them up', async () => {
    assert.deepEqual(
      await rowsOf(FILE),
      RECORDS.map(({ stationName: station, reportType: type, rawMETAR: text }) => ({
        station,
        filedAt: 1_704_067_200,
        text,
        type,
      })),
    );
    assert.deepEqual(await rowsOf(netcdfFile(MADIS_VARIABLES, [])), []);
  });

  it('has texts in UTF-8, and in Latin-1 where they are not UTF-8 (D69)', async () => {
    const text = 'SPJC 010000Z 18010KT RMK NIÑO';
    const records = (['utf8', 'latin1'] as const).map((encoding) => ({
      stationName: 'SPJC',
      timeObs: 1_704_067_200,
      reportType: 'METAR',
      rawMETAR: Buffer.from(text, encoding),
    }));
    assert.deepEqual(
      (await rowsOf(netcdfFile(MADIS_VARIABLES, records))).map((row) => 'text' in row && row.text),
      [text, text],
    );
  });

  it('is refused where it is another file, damaged, or claims more than it has', async () => {
    const claiming = Buffer.from(FILE);
    claiming.writeUInt32BE(0xffff_ffff, 4);
    const wrong: readonly (readonly [Buffer, RegExp])[] = [
      [Buffer.from('<html>'), /should start with CDF/],
      [Buffer.alloc(0), /not a readable NetCDF file/],
      [FILE.subarray(0, 100), /not a readable NetCDF file/],
      [FILE.subarray(0, FILE.length - 1), /with fewer than 3 values of rawMETAR/],
      [claiming, /with fewer than 4294967295 values of stationName/],
      [netcdfFile(MADIS_VARIABLES.slice(0, 4), RECORDS), /without the variable rawMETAR/],
      [
        netcdfFile([...MADIS_VARIABLES.slice(0, 4), { name: 'rawMETAR' }], RECORDS),
        /without the variable rawMETAR/,
      ],
    ];
    for (const [bytes, error] of wrong) await assert.rejects(rowsOf(bytes), error);
  });

  it('fails with an invalid response whatever byte of its header is changed', async () => {
    for (let at = 4; at < FILE.length - RECORDS.length * 300; at += 1)
      for (const value of [0, 0xff]) {
        const bytes = Buffer.from(FILE);
        bytes[at] = value;
        try {
          await rowsOf(bytes);
        } catch (error) {
          assert.equal((error as Error).name, 'InvalidResponseError', `${at}: ${String(error)}`);
        }
      }
  });
});
