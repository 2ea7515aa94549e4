import assert from 'node:assert/strict';
import { iem } from '../../../../loader/sources/iem.ts';
import { madis } from '../../../../loader/sources/madis.ts';
import { readAllReports, useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { replayIem } from '../../../support/sources/replay-iem.ts';
import {
  MADIS_FAULTS,
  type MadisFault,
  type MadisReport,
  replayMadis,
} from '../../../support/sources/replay-madis.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

const DAY = '--source madis --stations all --from 2024-01-01 --to 2024-01-02';
/** 280 characters with keyword: MADIS cuts it. */
const LONG = `KLNG 010051Z 18004KT 10SM CLR M01/M05 A3001 RMK AO2 ${'PRESENT REMARK '.repeat(15)}END`;

function report(station: string, time: string, given: Partial<MadisReport> = {}): MadisReport {
  const group = `${time.slice(8, 10)}${time.slice(11, 13)}${time.slice(14, 16)}Z`;
  return {
    station,
    time,
    type: 'METAR',
    raw: `METAR ${station} ${group} 18004KT 9999 FEW050 10/05 Q1013`,
    ...given,
  };
}

describe('load from MADIS', () => {
  const archive = useArchive();
  const stored = async () =>
    (await readAllReports(archive.client)).map(({ source, type, raw }) => `${source} ${type} ${raw}`).sort();

  async function load(
    reports: readonly MadisReport[],
    faults: readonly (MadisFault | 'none')[] = [],
    args = DAY,
  ) {
    return withReplay(replayMadis(reports, faults), async ({ url, requests }) => ({
      ...(await loadWith(archive.client, madis(url), args)),
      requests,
    }));
  }

  const HOURS = Array.from({ length: 24 }, (_, hour) =>
    report('ZZMA', `2024-01-01T${String(hour).padStart(2, '0')}:50:00Z`),
  );

  it('loads a day of the world from the files of its hours, the first and the last in part', async () => {
    const reports = [
      ...HOURS,
      report('ZZMB', '2024-01-01T03:07:00Z', { type: 'SPECI', raw: 'ZZMB 010307Z 18024KT 2000 +SHRA' }),
      report('ZZMB', '2023-12-31T23:50:00Z'),
      report('ZZMB', '2024-01-02T00:00:00Z'),
    ];
    const { tally, daysLeft, requests } = await load(reports);
    assert.deepEqual([tally.inserted, daysLeft, tally.skipped], [25, 0, { 'outside the window': 2 }]);
    // The first day of a source is requested twice.
    assert.equal(new Set(requests).size, 25);
    const lines = await stored();
    assert.ok(lines.includes('madis SPECI ZZMB 010307Z 18024KT 2000 +SHRA'));
    assert.ok(lines.includes('madis METAR METAR ZZMA 012350Z 18004KT 9999 FEW050 10/05 Q1013'));
    const again = await load(reports);
    assert.equal(again.requests.length, 0);
  });

  it('skips, by reason, what is no report of a station at a known time', async () => {
    const { tally } = await load(
      [
        ...HOURS,
        report('1234', '2024-01-01T03:07:00Z'),
        report('ZZMC', '2024-01-01T03:07:00Z', { raw: '' }),
        report('ZZMC', '2024-01-01T03:07:00Z', { raw: 'METAR ZZMC AUTO 18004KT 9999' }),
        report('ZZMC', '2024-01-01T03:07:00Z', { raw: 'METAR ZZMC 010707Z 18004KT 9999' }),
        report('ZZMC', ''),
      ],
      [],
      `${DAY} --refetch`,
    );
    assert.deepEqual(tally.skipped, {
      'not an ICAO code': 1,
      'empty text': 1,
      'text without time': 1,
      'the text has another time': 1,
      'no time': 1,
    });
    assert.deepEqual(
      (await stored()).filter((line) => line.includes('ZZMC')),
      [],
    );
  });

  it('replaces a cut text by a whole one of any source, in either order, but a whole one by none of a lower source (D4)', async () => {
    const short = { id: 'LNG', valid: '2024-02-01 01:51', metar: 'KLNG 010151Z 18004KT 10SM CLR' };
    const replay = await replayIem([
      { id: 'LNG', valid: '2024-02-01 00:51', metar: LONG.slice(0, 254) },
      short,
    ]);
    const fromIem = () =>
      loadWith(
        archive.client,
        iem(replay.url),
        '--source iem --stations KLNG --from 2024-02-01 --to 2024-02-02 --refetch',
      );
    const fromMadis = () =>
      load(
        [
          report('KLNG', '2024-02-01T00:51:00Z', { raw: `METAR ${LONG}` }),
          report('KLNG', '2024-02-01T01:51:00Z', { raw: `METAR ${short.metar}` }),
        ],
        [],
        '--source madis --stations all --from 2024-02-01 --to 2024-02-02 --refetch',
      );
    const expected = [`iem METAR ${LONG.slice(0, 254)}`, `madis METAR METAR ${short.metar}`];
    const ofStation = async () => (await stored()).filter((line) => line.includes('KLNG'));
    await fromMadis();
    assert.match((await ofStation()).join(), new RegExp(`madis METAR METAR ${LONG.slice(0, 200)}`));
    await fromIem();
    assert.deepEqual(await ofStation(), expected);
    assert.equal((await fromMadis()).tally.inserted, 0);
    assert.deepEqual(await ofStation(), expected);
    await replay.close();
  });

  it('loads every report after each fault of the source, also where most reports of a usual day are there', async () => {
    for (const [day, faults] of [
      ['2024-03-01', MADIS_FAULTS],
      ['2024-03-02', ['404']],
    ] as const) {
      const hours = HOURS.map(({ time }) => report('ZZMD', time.replace('2024-01-01', day)));
      const args = `--source madis --stations all --from ${day} --to ${day.slice(0, -1)}${Number(day.at(-1)) + 1}`;
      const { daysLeft, tally } = await load(hours, faults, args);
      assert.deepEqual([daysLeft, tally.inserted, tally.slicesFailed], [0, 24, 0], day);
    }
  });

  it('leaves a day without any file open, and requests no day before the archive of MADIS', async () => {
    const none = await load([], [], '--source madis --stations all --from 2024-04-01 --to 2024-04-02');
    assert.deepEqual([none.daysLeft, none.failed], [1, 1]);
    assert.match(none.messages.join(), /the source has no file of these days/);
    const before = await load([], [], '--source madis --stations all --from 2006-03-01 --to 2006-03-13');
    assert.deepEqual([before.requests.length, before.daysLeft], [0, 0]);
  });
});
