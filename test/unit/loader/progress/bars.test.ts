import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { displayOn, displaysOn, type LogFormat } from '../../../../loader/progress/bars.ts';
import { Progress } from '../../../../loader/progress/progress.ts';
import { Screen } from '../../../support/screen.ts';

const SLICE = { source: 'iem', station: 'XAAA', firstDay: '2024-01-01', endDay: '2024-01-02' } as const;

/** What a run of two slices, one of them failed, leaves on a stream that is no terminal. */
function shown(format: LogFormat): readonly string[] {
  const stream = new PassThrough();
  const display = displayOn(stream as unknown as NodeJS.WriteStream, format);
  const progress = new Progress(display);
  progress.retrying('http://source/', '503 over capacity', 3.2);
  progress.begin(2);
  progress.started();
  progress.received(1_500_000);
  progress.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: { 'empty text': 1 } });
  progress.done(SLICE as never, { kind: 'failed', reason: '422 Invalid times provided.' });
  display.end();
  return String(stream.read()).trimEnd().split('\n');
}

describe('the display of a run', () => {
  it('is plain lines where there is no terminal', () => {
    assert.deepEqual(shown('text'), [
      'asking again in 4 s: 503 over capacity (http://source/)',
      '2 slices to load',
      '1/2 slices, 25 reports, 24 new, 1 requests, 1.5 MB',
      'XAAA 2024-01-01 to 2024-01-02: not loaded: 422 Invalid times provided.',
    ]);
  });

  it('is one JSON object a line where that is wanted, with the counts', () => {
    const lines = shown('json').map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ event }) => event),
      ['note', 'begin', 'progress', 'note'],
    );
    const { time, text, ...counts } = lines[2] ?? {};
    assert.ok(typeof time === 'string' && typeof text === 'string');
    assert.deepEqual(counts, {
      event: 'progress',
      slices: 2,
      slicesDone: 1,
      slicesFailed: 0,
      slicesEmpty: 0,
      reports: 25,
      inserted: 24,
      requests: 1,
      bytes: 1_500_000,
      skipped: { 'empty text': 1 },
    });
  });

  describe('on a terminal', () => {
    /** Lets two sources run side by side and says what there is to say; the timer draws ten times a second. */
    async function watched(
      scene: (runs: {
        iem: Progress;
        ogimet: Progress;
        say: (line: string) => void;
        drawn: () => Promise<void>;
      }) => Promise<void>,
    ) {
      const screen = new Screen(80);
      const { displays, say } = displaysOn(screen as unknown as NodeJS.WriteStream, 'text', [
        'iem',
        'ogimet',
      ]);
      const [iem, ogimet] = displays.map(({ display }) => new Progress(display)) as [Progress, Progress];
      await scene({ iem, ogimet, say, drawn: () => sleep(250) });
      for (const { display } of displays) display.end();
      screen.write('the summary\n');
      return screen.lines.map((line) =>
        line.replace(/█+░*|░+/, '[]').replace(/ · \d+ s left| · \d+ reports\/s.*/g, ''),
      );
    }

    it('has a bar for each source, below all that was said, however long', async () => {
      const url = `http://source/${'x'.repeat(100)}`;
      const lines = await watched(async ({ iem, ogimet, say, drawn }) => {
        iem.say('before anything is drawn');
        iem.begin(2);
        await drawn();
        ogimet.begin(1);
        await drawn();
        iem.retrying(url, '503', 2);
        await drawn();
        ogimet.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: {} });
        await drawn();
        say('Finishing what is under way.');
        await drawn();
        iem.done(SLICE as never, { kind: 'failed', reason: 'refused' });
      });
      const long = `iem: asking again in 2 s: 503 (${url})`;
      assert.deepEqual(lines, [
        'iem: before anything is drawn',
        long.slice(0, 80),
        long.slice(80),
        'Finishing what is under way.',
        'iem: XAAA 2024-01-01 to 2024-01-02: not loaded: refused',
        'iem:    [] 1/2 slices · 1 failed',
        'ogimet: [] 1/1 slices · done',
        'the summary',
      ]);
    });
  });
});
