import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readHourFile } from '../../../../../loader/sources/madis/hour-file.ts';
import { netcdfFile } from '../../../../support/sources/netcdf-file.ts';
import { MADIS_VARIABLES } from '../../../../support/sources/replay-madis.ts';

const RECORDS = ['KJFK', 'EGLL', 'ZZZZZ'].map((stationName, at) => ({
  stationName,
  latitude: 1,
  timeObs: 1_704_067_200 + at,
  reportType: at === 1 ? 'SPECI' : 'METAR',
  rawMETAR: `${stationName} 010000Z 18004KT`,
}));
const FILE = netcdfFile(MADIS_VARIABLES, RECORDS);

describe('hour file of MADIS', () => {
  it('has its records, texts without what fills them up', () => {
    assert.deepEqual(
      readHourFile(FILE),
      RECORDS.map(({ latitude: _, ...record }) => record),
    );
    assert.deepEqual(readHourFile(netcdfFile(MADIS_VARIABLES, [])), []);
  });

  it('is refused where it is another file, damaged, or claims more than it has', () => {
    const claiming = Buffer.from(FILE);
    claiming.writeUInt32BE(0xffff_ffff, 4);
    const wrong: readonly (readonly [Buffer, RegExp])[] = [
      [Buffer.from('<html>'), /no NetCDF file: .*CDF/],
      [Buffer.alloc(0), /no NetCDF file/],
      [FILE.subarray(0, 100), /no NetCDF file/],
      [FILE.subarray(0, FILE.length - 1), /with less than 3 values of rawMETAR/],
      [claiming, /with 4294967295 records/],
      [netcdfFile(MADIS_VARIABLES.slice(0, 4), RECORDS), /without the variable rawMETAR/],
      [
        netcdfFile([...MADIS_VARIABLES.slice(0, 4), { name: 'rawMETAR' }], RECORDS),
        /without the variable rawMETAR/,
      ],
    ];
    for (const [bytes, error] of wrong) assert.throws(() => readHourFile(bytes), error);
  });

  it('fails with an invalid response whatever byte of its header is changed', () => {
    for (let at = 4; at < FILE.length - RECORDS.length * 300; at += 1)
      for (const value of [0, 0x7f, 0xff]) {
        const bytes = Buffer.from(FILE);
        bytes[at] = value;
        try {
          readHourFile(bytes);
        } catch (error) {
          assert.equal((error as Error).name, 'InvalidResponseError', `${at}: ${String(error)}`);
        }
      }
  });
});
