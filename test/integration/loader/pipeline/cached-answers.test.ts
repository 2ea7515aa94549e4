import assert from 'node:assert/strict';
import { addDays, type Day, dayOf, firstProvisionalDay } from '../../../../clickhouse/model/day.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { iem } from '../../../../loader/sources/iem.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { loadWith } from '../../../support/loader/run-load.ts';
import { type Exchange, serve, withReplay } from '../../../support/sources/replay-server.ts';

const DAYS_HELD = 4;

describe('an answer that a cache has held for days (D70)', () => {
  const archive = useArchive();

  it('makes done only the days that were over when the source made it', async () => {
    const now = new Date();
    const madeAt = new Date(now.getTime() - DAYS_HELD * 86_400_000);
    const today = dayOf(now.getTime() / 1000);
    const firstDay = addDays(today, -12);
    const respond = ({ url, response }: Exchange<never>) => {
      response.setHeader('age', String(DAYS_HELD * 86_400));
      if (url.pathname.endsWith('asos.py')) response.end(`station,valid,metar\n${rowsOf(firstDay)}`);
      else response.writeHead(404).end();
    };
    const load = (replay: { readonly url: string }) =>
      loadWith(
        archive.client,
        iem(replay.url),
        `--source iem --stations KABC --from ${firstDay} --to ${today}`,
      );
    const { daysLeft } = await withReplay(
      serve<never>([], respond, () => madeAt),
      load,
    );
    const newest = await selectRows<{ doneDay: Day }>(archive.client, {
      query: 'SELECT max(doneDay) AS doneDay FROM slices',
    });
    assert.deepEqual(newest, [{ doneDay: firstProvisionalDay(madeAt) }]);
    assert.equal(daysLeft, DAYS_HELD);
  });
});

/** A report at noon of each of twelve days. */
function rowsOf(firstDay: Day): string {
  return Array.from({ length: 12 }, (_, at) => {
    const day = addDays(firstDay, at);
    return `ABC,${day} 12:00,KABC ${day.slice(8)}1200Z 18004KT 9999 12/07 A2992\n`;
  }).join('');
}
