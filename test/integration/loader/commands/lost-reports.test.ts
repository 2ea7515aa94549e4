import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCoverage } from '../../../../clickhouse/coverage/coverage.ts';
import { findGaps } from '../../../../loader/checks/gaps.ts';
import { formatGaps } from '../../../../loader/commands/gaps.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { day } from '../../../support/archive/ledger.ts';
import { readAllReports, useArchive } from '../../../support/archive/use-archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { type IemReplay, replayIem } from '../../../support/sources/replay-iem.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const MARCH = '--source iem --stations XAAA,XAAB --from 2024-03-01 --to 2024-04-01';

/** Reports that vanish behind the back of the loader, as after a power failure. */
describe('reports that the archive has lost', () => {
  const archive = useArchive();
  let source: IemReplay;
  before(async () => {
    source = await replayIem(['XAAA', 'XAAB'].flatMap((station) => hourly(station, '2024-03-01', 31)));
  });
  after(() => source.close());

  const load = (args: string) => loadWith(archive.client, iem(source.url), args);
  const gaps = async (stations: readonly string[] = []) =>
    formatGaps(
      await findGaps(
        archive.client,
        { stations, firstDay: day('2024-02-01'), endDay: day('2024-05-01') },
        NOW,
      ),
    ).filter((line) => !line.includes('not done'));
  const lose = (statement: string) =>
    archive.client.command({ query: `ALTER TABLE observations ${statement} SETTINGS mutations_sync = 2` });
  const status = async () => {
    const request = {
      stations: ['XAAA', 'XAAB'],
      from: Date.parse('2024-03-01') / 1000,
      to: Date.parse('2024-04-01') / 1000,
    };
    return (await readCoverage(archive.client, request, NO_LIMIT)).status;
  };

  const cases: readonly {
    readonly title: string;
    readonly runs: readonly string[];
    readonly lost: string;
    readonly lines: readonly string[];
  }[] = [
    {
      title: 'are named where one of a month is gone',
      runs: [MARCH],
      lost: "DELETE WHERE station = 'XAAB' AND observedAt = '2024-03-20 05:51:00'",
      lines: [
        'npm run load -- --source iem --stations XAAB --from 2024-03-20 --to 2024-03-21 --again  # 24 of the 25 reports that the ledger records',
      ],
    },
    {
      title: 'are named although two runs have received the same number (D39)',
      runs: [MARCH, `${MARCH} --again`, `${MARCH} --again`],
      lost: 'DROP PARTITION 2024',
      lines: [
        'npm run load -- --source iem --stations XAAA,XAAB --from 2024-03-01 --to 2024-04-01 --again  # 0 of the 1588 reports that the ledger records at each of 2 stations',
      ],
    },
  ];
  for (const { title, runs, lost, lines } of cases)
    it(`${title}, and the printed command brings them back`, async () => {
      for (const args of runs) await load(args);
      const complete = await readAllReports(archive.client);
      assert.deepEqual(await gaps(), []);
      await lose(lost);
      assert.equal(await status(), 'complete', 'ledger and coverage still claim the days');
      assert.deepEqual(await gaps(), lines);
      assert.deepEqual(await gaps(['XAAA', 'XAAB']), lines);
      for (const line of lines) await load(line.replace(/^npm run load -- | {2}#.*$/g, ''));
      assert.deepEqual(await gaps(), []);
      assert.equal((await readAllReports(archive.client)).length, complete.length);
    });

  it('are named for days that coverage claims without a row of the ledger', async () => {
    await archive.client.command({ query: 'TRUNCATE TABLE slices' });
    const lines = [
      'npm run load -- --source iem --stations XAAA,XAAB --from 2024-03-01 --to 2024-04-01 --again  # the ledger has no record of these days at each of 2 stations',
    ];
    assert.deepEqual(await gaps(), lines);
    for (const line of lines) await load(line.replace(/^npm run load -- | {2}#.*$/g, ''));
    assert.deepEqual(await gaps(), []);
  });
});
