import assert from 'node:assert/strict';
import { ncei } from '../../../../loader/sources/ncei/ncei.ts';
import { ogimet } from '../../../../loader/sources/ogimet.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { metBlock, replayNcei } from '../../../support/sources/replay-ncei.ts';
import { replayOgimet } from '../../../support/sources/replay-ogimet.ts';
import { withReplay } from '../../../support/sources/replay-server.ts';

describe('source outage', () => {
  const archive = useArchive();

  it('fails no slice; a rejected request fails, is named, and is repeated by the next run', async () => {
    const number = { usaf: '700001', wban: '00001', icao: 'KZTA', begin: '20000101', end: '20251231' };
    const rows = ['2014-05-01', '2015-05-01']
      .flatMap((day) => hourly('KZTA', day, 2))
      .map(({ valid, metar }) => ({
        id: '70000100001',
        date: `${valid.replace(' ', 'T')}:00`,
        type: 'FM-15',
        remarks: metBlock(`METAR ${metar}=`),
      }));
    const args = '--source ncei --stations KZTA --from 2014-01-01 --to 2016-01-01';
    // Eight faults in a row are an outage; the ninth is the answer to its first probe.
    const faults = Array.from({ length: 9 }, () => 'over capacity' as const);
    const starting = replayNcei([number], rows, [...faults, 'none', 'unprocessable']);
    await withReplay(starting, async (replay) => {
      const first = await loadWith(archive.client, ncei(replay.url), args);
      const said = first.messages.join('\n');
      // The ninth may have been on its way before the outage: its pause is then the first one too.
      assert.equal(said.match(/source unavailable \(503.*\); pausing [12] s/g)?.length, 2, said);
      const rejected = /KZTA (\d{4})-01-01 to \d{4}-01-01: not loaded: 422/.exec(said)?.[1];
      assert.ok(rejected !== undefined, said);
      assert.deepEqual([first.tally.slicesDone, first.daysLeft, first.stationsLeft], [1, 365, ['KZTA']]);

      const before = replay.requests.length;
      assert.equal((await loadWith(archive.client, ncei(replay.url), args)).daysLeft, 0);
      const requested = replay.requests.slice(before).filter((path) => path.startsWith('/data/'));
      assert.ok(
        requested.length > 0 && requested.every((path) => path.includes(`/${rejected}/`)),
        requested.join(),
      );
    });
  });

  it('ends the run after thirty failed probes; the next run loads the rest', async () => {
    const reports = [2015, 2016, 2017].flatMap((year) =>
      hourly('KZTB', `${year}-05-01`, 2).map(({ valid, metar }) => {
        return { icao: 'KZTB', slot: valid.replace(/[-: ]/g, ''), report: `METAR ${metar}=` };
      }),
    );
    const args = '--source ogimet --stations KZTB --from 2015-01-01 --to 2018-01-01';
    // Eight in a row are an outage; the other two slices may have sent a request each by then.
    const faults = Array.from({ length: 8 + 2 + 30 }, () => 'sorry under 501' as const);
    await withReplay(replayOgimet(reports, faults), async (replay) => {
      const run = await loadWith(archive.client, ogimet(replay.url), args);
      const unsent = faults.length - replay.requests.length;
      assert.ok(unsent >= 0 && unsent <= 2, `${unsent}`);
      assert.deepEqual([run.failed, run.daysLeft, run.stationsLeft], [3, 1096, ['KZTB']]);
      assert.match(run.messages.join('\n'), /source unavailable \(501 #Sorry.*\); pausing/);
      assert.match(
        run.messages.join('\n'),
        /not loaded: (?:501 .*: )?the source was unavailable for too long/,
      );
      const next = await loadWith(archive.client, ogimet(replay.url), args);
      assert.deepEqual([next.failed, next.daysLeft], [0, 0]);
    });
  });
});
