import assert from 'node:assert/strict';
import { decode } from '../../../../loader/decode.ts';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import { readCsv } from '../../../support/archive/flat-records.ts';

/** The remarks of a day's reports, whether it has a trace, and its amount. */
const DAYS: readonly (readonly [amounts: string, trace: string, precip: string, weather?: string])[] = [
  ['AO2 P0000', '1', '0'],
  ['AO2 P0000/AO2 P0001', '1', '0.12'],
  ['P0000', '1', '0'],
  ['AO2 P0002', '0', '0.48'],
  ['AO2', '0', '0'],
  // The station gives amounts in this month. Of a day of rain there is none.
  ['AO2', '', '', '-RA'],
  ['AO2 PNO', '', '', '-RA'],
  // One that is out of order, and none.
  ['AO2 PNO', '', '0'],
  ['AO1', '', '0'],
  ['', '', '0'],
];

describe('a trace of precipitation', () => {
  const archive = useArchive();
  const api = useApi(() => startApi(archive.client));

  it('is apart from no precipitation in the preset daily, and absent where the amount is', async () => {
    const reports = DAYS.flatMap(([amounts, , , weather = ''], day) =>
      // Each hour, because a day with gaps knows only what was seen (D59).
      Array.from({ length: 24 }, (_, hour) => {
        const at = new Date(Date.UTC(2024, 0, 1 + day, hour, 51)).toISOString();
        const remarks = amounts.split('/')[hour % amounts.split('/').length];
        const raw = `KXAA ${at.slice(8, 10)}${at.slice(11, 13)}51Z 10SM ${weather} OVC020 10/05 A3000 RMK ${remarks}`;
        return put(report({ station: 'KXAA', at, raw, decoded: decode(raw).fields }));
      }),
    );
    await insert(archive.client, ...reports);
    const query = 'stations=KXAA&from=2024-01-01&to=2024-01-11&preset=daily&tz=utc';
    const csv = await api.get(`/v1/history/statistics.csv?${query}`);
    const rows = readCsv(Buffer.from(await csv.arrayBuffer()));
    assert.deepEqual(
      rows.map(({ precip_trace, precip_in }) => [precip_trace, precip_in]),
      DAYS.map(([, trace, precip]) => [trace, precip]),
    );
  });
});
