import assert from 'node:assert/strict';
import { addDays, type Day } from '../../../../clickhouse/model/day.ts';
import { windowOfDays } from '../../../../clickhouse/model/time-window.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { day, sliceRecord } from '../../../support/archive/ledger.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { startLoader } from '../../../support/process.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { type IemReplay, replayIem } from '../../../support/sources/replay-iem.ts';

describe('days that a loader with a wrong clock has recorded (D70)', () => {
  const archive = useArchive();
  const [firstDay, lateDay, endDay] = ['2024-03-01', '2024-03-08', '2024-03-15'].map(day) as [Day, Day, Day];
  const LINE = `--source iem --stations all --from ${lateDay} --to ${endDay}`;
  const REASON = 'recorded as done before 72 hours had passed';
  let source: IemReplay;
  before(async () => {
    source = await replayIem(['ZZZA', 'ZZZB'].flatMap((station) => hourly(station, firstDay, 14)));
    await loadWith(
      archive.client,
      iem(source.url),
      `--source iem --stations all --from ${firstDay} --to ${lateDay}`,
    );
    // Recorded on the first of them, ten days ahead: the days had not happened.
    for (let each = lateDay; each < endDay; each = addDays(each, 1))
      await archive.client.insert({
        table: 'slices',
        rows: [
          {
            ...sliceRecord(each, addDays(each, 1), { station: '*', reportsByDay: [0] }),
            recordedAt: `${lateDay} 12:00:00`,
          },
        ],
      });
    // An older version has called them done in the view too.
    await archive.client.command({
      query: `INSERT INTO coverage (station, year, source, days)
        SELECT '*', 2024, 'iem', groupBitmapState(toUInt16(toDayOfYear(toDate('${lateDay}') + number))) FROM numbers(7)`,
    });
  });
  after(() => source.close());

  const run = async (line: string) => {
    const env = { CLICKHOUSE_URL: archive.url, CLICKHOUSE_DATABASE: archive.database, IEM_URL: source.url };
    return startLoader(line, env).finished;
  };
  const status = async () => {
    const days = windowOfDays({ firstDay, endDay });
    return (await readCoverageNow(archive.client, { stations: ['ZZZA'], ...days })).status;
  };

  it('are named by verify, which requests none of them', async () => {
    assert.equal(await status(), 'complete');
    const before = source.requests.length;
    const { code, out } = await run('verify --interval 0');
    assert.equal(code, 3, out);
    assert.match(out, new RegExp(`iem all ${lateDay} to ${endDay}: ${REASON}`));
    assert.match(out, /7 slices, .* 0 slices not equal/);
    for (const { path } of source.requests.slice(before)) assert.match(path, /ets=2024-03-0[2-8]T00:00Z/);
  });

  it('are named by gaps, with a load that requests them', async () => {
    const { code, out } = await run('gaps --from 2024-03-01 --to 2024-03-20');
    assert.equal(code, 3, out);
    const lines = out.split('\n').filter((line) => line.includes(REASON));
    assert.equal(lines.length, 1, out);
    assert.match(lines[0] ?? '', /--from 2024-03-08 --to 2024-03-15 {2}# 7 days recorded as done/);
  });

  it('are opened and loaded by a load', async () => {
    const { code, out } = await run(`${LINE} --interval 0`);
    assert.equal(code, 0, out);
    assert.match(out, new RegExp(`iem all ${lateDay} to ${endDay}: ${REASON}.*; no longer counted as done`));
    assert.match(out, /7 of 7 slices loaded/);
    assert.equal(await status(), 'complete');
    const again = await run('gaps --from 2024-03-01 --to 2024-03-20');
    assert.doesNotMatch(again.out, new RegExp(REASON));
    assert.match((await run(`${LINE} --interval 0`)).out, /nothing to load/);
  });
});
