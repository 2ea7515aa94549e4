import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CircuitBreaker } from '../../../../loader/http/circuit-breaker.ts';
import { ogimet } from '../../../../loader/sources/ogimet.ts';
import { decadeOf } from '../../../support/decade.ts';
import { loadWith } from '../../../support/replay-load.ts';
import { replayNcei } from '../../../support/replay-ncei.ts';
import { replayOgimet } from '../../../support/replay-ogimet.ts';
import { startLoader } from '../../../support/replay-program.ts';
import { useArchive } from '../../../support/use-archive.ts';

/** As patient as ever, but with pauses of a hundredth of a second, and already open. */
class HastyBreaker extends CircuitBreaker {
  constructor() {
    super(0);
    while (!this.isOpen) this.failed();
  }

  override get pauseSeconds(): number {
    return 0.01;
  }
}

describe('a source in trouble', function () {
  this.timeout(60_000);
  const archive = useArchive();

  it('is left alone and waited for; only what it refuses is left, named, and had by the next run', async () => {
    const { numbers, rows } = decadeOf('KZTA', [2014, 2015]).ncei;
    const env = { CLICKHOUSE_URL: archive.url, CLICKHOUSE_DATABASE: archive.database };
    const line = '--source ncei --stations KZTA --from 2014-01-01 --to 2016-01-01 --interval 0';
    // Eight faults in a row open the breaker, the ninth meets the first that tries again.
    const faults = Array.from({ length: 9 }, () => 'over capacity' as const);
    const replay = await replayNcei(numbers, rows, [...faults, 'none', 'unprocessable']);
    try {
      const settings = { ...env, NCEI_URL: replay.url };
      const first = await startLoader(line, settings).ended;
      assert.equal(first.code, 3, first.out);
      assert.match(first.out, /in trouble, left alone for 1 s and then tried again: 503/);
      assert.match(first.out, /in trouble, left alone for 2 s and then tried again: 503/);
      const refused = /KZTA (\d{4})-01-01 to \d{4}-01-01: not loaded: 422/.exec(first.out)?.[1];
      assert.ok(refused !== undefined, first.out);
      assert.match(first.out, /1 of 2 slices loaded/);
      assert.match(first.out, /365 days are not done, of KZTA: the same command asks for them again/);

      const before = replay.requests.length;
      const second = await startLoader(line, settings).ended;
      assert.equal(second.code, 0, second.out);
      const asked = replay.requests.slice(before).filter((path) => path.startsWith('/data/'));
      assert.ok(asked.length > 0 && asked.every((path) => path.includes(`/${refused}/`)), asked.join());
    } finally {
      await replay.close();
    }
  });

  it('that never answers is given up in the end, asked no more, and had by the next run', async () => {
    const reports = decadeOf('KZTB', [2015, 2016, 2017]).ogimet;
    const line = '--source ogimet --stations KZTB --from 2015-01-01 --to 2018-01-01';
    const faults = Array.from({ length: 30 }, () => 'sorry under 501' as const);
    const replay = await replayOgimet(reports, faults);
    try {
      const run = await loadWith(archive.client, ogimet(replay.url), line, new HastyBreaker());
      assert.equal(replay.requests.length, faults.length);
      assert.deepEqual([run.failed, run.daysLeft, run.stationsLeft], [3, 1096, ['KZTB']]);
      assert.match(run.said.join('\n'), /left alone.*501 #Sorry/);
      assert.match(run.said.join('\n'), /not loaded: the source has not answered for too long/);
      const next = await loadWith(archive.client, ogimet(replay.url), line);
      assert.deepEqual([next.failed, next.daysLeft], [0, 0]);
    } finally {
      await replay.close();
    }
  });
});
