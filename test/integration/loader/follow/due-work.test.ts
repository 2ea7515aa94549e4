import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DueWork } from '../../../../loader/follow/due-work.ts';
import type { LoadContext } from '../../../../loader/pipeline/load-slice.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';
import { readCommand } from '../../../support/loader/run-load.ts';

describe('work that is due', () => {
  const archive = useArchive();

  it('names the days again that a source left out, and others not before a day has passed', async () => {
    const command = readCommand('follow --source iem --stations KABC --from 2024-02-20');
    assert.ok(command.kind === 'follow');
    const now = new Date('2024-03-04T12:00:00Z');
    // What it reads of a load: no slice is loaded here.
    const context = {
      client: archive.client,
      source: 'iem',
      now: () => now,
      signal: NO_LIMIT,
    } as LoadContext;
    const due = new DueWork(command, 'iem');
    const list = async () =>
      (await due.list(context)).map((work) =>
        work === 'periods of record' ? work : `${work.firstDay} to ${work.endDay}`,
      );
    assert.deepEqual(await list(), ['2024-02-20 to 2024-03-04']);
    due.finish(true);
    assert.deepEqual(await list(), ['2024-02-20 to 2024-03-01'], 'those of the last three days come later');
    due.finish(false);
    assert.deepEqual(await list(), ['2024-03-01 to 2024-03-02']);
    due.finish(false);
    assert.deepEqual(await list(), ['2024-03-02 to 2024-03-03']);
  });
});
