import assert from 'node:assert/strict';
import { ogimet } from '../../../../loader/sources/ogimet.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { FAULTS, type Fault } from '../../../support/sources/replay-faults.ts';
import { type OgimetReport, replayOgimet } from '../../../support/sources/replay-ogimet.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

let nextStation = 0;
const newStation = () => `YY${String(nextStation++).padStart(2, '0')}`;

/** A report every hour of 30 April to 3 May 2020, so that 1 and 2 May have neighbors. */
function hourly(icao: string): readonly OgimetReport[] {
  return Array.from({ length: 96 }, (_, hour) => {
    const slot = new Date(Date.UTC(2020, 3, 30, hour)).toISOString().replace(/[-T:]/g, '').slice(0, 12);
    return { icao, slot, report: `METAR ${icao} ${slot.slice(6)}Z 06017KT 9999 FEW035 28/19 A2978=` };
  });
}

describe('load from Ogimet', () => {
  const archive = useArchive();

  async function load(
    reports: readonly OgimetReport[],
    station: string,
    faults: readonly (Fault | 'none')[] = [],
  ) {
    const line = `--source ogimet --stations ${station} --from 2020-05-01 --to 2020-05-03`;
    return withReplay(replayOgimet(reports, faults), async ({ url, requests }) => ({
      ...(await loadWith(archive.client, ogimet(url), line)),
      requests,
    }));
  }
  const rows = async (station: string) =>
    (await readAllReports(archive.client, station))
      .map(
        ({ observedAt, type, raw }) =>
          `${new Date(observedAt * 1000).toISOString().slice(5, 16)} ${type} ${raw}`,
      )
      .sort();

  it('stores the days of the slice, and requests the rows that can hold its reports (D86)', async () => {
    const station = newStation();
    const { requests, tally, daysLeft } = await load(hourly(station), station);
    assert.deepEqual(requests, [
      `/cgi-bin/getmetar?icao=${station}&begin=202004302100&end=202005042359&lang=eng&header=yes`,
      `/cgi-bin/getmetar?icao=${station}&begin=202004302100&end=202005042359&lang=eng&header=yes`,
    ]);
    assert.deepEqual([tally.inserted, tally.skipped, daysLeft], [48, { 'outside the window': 27 }, 0]);
    assert.equal(
      (await rows(station))[0],
      `05-01T00:00 METAR METAR ${station} 010000Z 06017KT 9999 FEW035 28/19 A2978`,
    );
  });

  it('uses the time of the report text, and keeps keyword, correction, commas and NIL', async () => {
    const station = newStation();
    const odd: readonly OgimetReport[] = [
      { icao: station, slot: '202004302355', report: `METAR ${station} 010005Z 06017KT=` },
      { icao: station, slot: '202005010017', report: `SPECI ${station} 010017Z 06017KT, 9999 RMK A,B=` },
      { icao: station, slot: '202005010100', report: `METAR ${station} NIL=` },
      { icao: station, slot: '202005010130', report: `METAR ${station} 010130Z NIL=` },
      { icao: station, slot: '202005010200', report: `METAR ${station} 300200Z 06001KT=` },
      { icao: station, slot: '202005011600', report: `METAR ${station} 151600Z 06002KT=` },
      { icao: station, slot: '202005041600', report: `METAR ${station} 021700Z 06002KT=` },
      { icao: station, slot: '202005011700', report: `METAR COR ${station} 011700Z 06003KT=` },
      // Line ends for Unicode, none for a file.
      { icao: station, slot: '202005011800', report: `METAR ${station} 011800Z\u202806005KT\u2029CAVOK=` },
      { icao: station, slot: '202005012352', report: `METAR ${station} 020000Z 06004KT=` },
      { icao: station, slot: '202005032355', report: `METAR ${station} 032355Z 06004KT=` },
    ];
    const { tally } = await load(odd, station);
    assert.deepEqual(await rows(station), [
      `05-01T00:05 METAR METAR ${station} 010005Z 06017KT`,
      `05-01T00:17 SPECI SPECI ${station} 010017Z 06017KT, 9999 RMK A,B`,
      `05-01T01:30 METAR METAR ${station} 010130Z NIL`,
      `05-01T17:00 METAR METAR COR ${station} 011700Z 06003KT`,
      `05-01T18:00 METAR METAR ${station} 011800Z 06005KT CAVOK`,
      `05-02T00:00 METAR METAR ${station} 020000Z 06004KT`,
      `05-02T17:00 METAR METAR ${station} 021700Z 06002KT`,
    ]);
    assert.deepEqual(tally.skipped, {
      'NIL without time': 1,
      'outside the window': 2,
      'the text has another time': 1,
    });
  });

  it('skips the reports of other stations with the same prefix', async () => {
    const { tally } = await load([...hourly('YYZA'), ...hourly('YYZAX')], 'YYZA');
    assert.deepEqual([tally.inserted, tally.skipped['wrong station']], [48, 75]);
  });

  for (const fault of ['sorry under 200', 'sorry under 501', 'header only', 'cut between lines'] as const)
    it(`loads every report after a fault: ${FAULTS[fault].about}`, async () => {
      const station = newStation();
      const { tally, requests } = await load(hourly(station), station, [fault]);
      assert.deepEqual([tally.inserted, requests.length], [48, 3]);
    });

  it('requests days without reports once where another source has done them, and has none left (D13)', async () => {
    const station = newStation();
    await list(archive.client, { station });
    await recordDone(archive.client, '2020-05-01', '2020-05-03', { station });
    const runs = [await load([], station), await load([], station)];
    assert.deepEqual(
      runs.map(({ tally, daysLeft }) => [tally.slices, daysLeft]),
      [
        [1, 0],
        [0, 0],
      ],
    );
  });
});
