import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { displayOn, displaysOn } from '../../../../loader/progress/bars.ts';
import type { Display, LogFormat } from '../../../../loader/progress/display.ts';
import { LoadProgress } from '../../../../loader/progress/load-progress.ts';
import { StepProgress } from '../../../../loader/progress/step-progress.ts';
import { Screen } from '../../../support/loader/screen.ts';

const SLICE = { source: 'iem', station: 'XAAA', firstDay: '2024-01-01', endDay: '2024-01-02' } as const;

/** What a run prints on a stream that is not a terminal; speed and time left are masked. */
function linesOf(format: LogFormat, run: (display: Display) => void): readonly string[] {
  const stream = new PassThrough();
  const display = displayOn(stream as unknown as NodeJS.WriteStream, format);
  run(display);
  display.end();
  return readAll(stream)
    .trimEnd()
    .replace(/\d+ s left/g, '? s left')
    .replace(/\d+ reports\/s/g, '? reports/s')
    .split('\n');
}

/** From Node 26 on, a read returns one of the writes. */
function readAll(stream: PassThrough): string {
  let text = '';
  for (let part = stream.read(); part !== null; part = stream.read()) text += part;
  return text;
}

/** Two slices, one of them failed. */
function loadTwoSlices(display: Display): void {
  const progress = new LoadProgress(display);
  progress.retrying('http://source/', '503 over capacity', 3.2);
  progress.pausing('503 over capacity', 299.5);
  progress.begin(2);
  progress.started();
  progress.received(1_500_000);
  progress.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: { 'empty text': 1 } });
  progress.done(SLICE as never, { kind: 'failed', reason: '422 Invalid times provided.' });
}

describe('progress display', () => {
  it('prints lines where there is no terminal', () => {
    assert.deepEqual(linesOf('text', loadTwoSlices), [
      'retrying in 4 s: 503 over capacity (http://source/)',
      'source unavailable (503 over capacity); pausing 5 min',
      '0/2 slices',
      '1/2 slices, ? s left, ? reports/s, 1.5 MB, 1 skipped, 24 new, 1 request, 1 empty text',
      'XAAA 2024-01-01 to 2024-01-02: not loaded: 422 Invalid times provided.',
    ]);
  });

  it('prints the steps of other work in the same form', () => {
    const lines = linesOf('text', (display) => {
      const progress = new StepProgress(display, 'reports');
      progress.begin(3000);
      progress.advance(1000);
    });
    assert.deepEqual(lines, ['0/3000 reports', '1000/3000 reports, ? s left, ? reports/s']);
  });

  it('says what is being done: of several activities the oldest, and none that has ended', async () => {
    const stream = new PassThrough();
    const progress = new LoadProgress(displayOn(stream as unknown as NodeJS.WriteStream, 'json'));
    progress.begin(2);
    await progress.track('periods of record', async () => {});
    await progress.track('EGLL 2019-01-01', () =>
      progress.track('XAAA 2020-01-01', async () => {
        progress.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: {} });
      }),
    );
    const lines = readAll(stream).trimEnd().split('\n');
    const { activity, text } = JSON.parse(lines.at(-1) ?? '');
    assert.equal(activity, 'EGLL 2019-01-01');
    assert.match(text, /^1\/2 slices, \d+ s left, 25 reports\/s, EGLL 2019-01-01, 24 new$/);
  });

  it('prints one JSON object a line with LOG_FORMAT=json, with the counts', () => {
    const lines = linesOf('json', loadTwoSlices).map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ event }) => event),
      ['message', 'message', 'begin', 'progress', 'message'],
    );
    const { time, text, ...counts } = lines[3] ?? {};
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
    type Runs = {
      readonly iem: LoadProgress;
      readonly ogimet: LoadProgress;
      readonly log: (line: string) => void;
      /** The timer redraws ten times a second. */
      readonly redrawn: () => Promise<void>;
    };

    /** The screen after two runs at the same time. */
    async function screenAfter(work: (runs: Runs) => Promise<void>): Promise<readonly string[]> {
      const screen = new Screen(80);
      const { displays, log } = displaysOn(screen as unknown as NodeJS.WriteStream, 'text', [
        'iem',
        'ogimet',
      ]);
      const [iem, ogimet] = displays.map(({ display }) => new LoadProgress(display)) as [
        LoadProgress,
        LoadProgress,
      ];
      await work({ iem, ogimet, log, redrawn: () => sleep(250) });
      for (const { display } of displays) display.end();
      screen.write('the summary\n');
      return screen.lines.map((line) =>
        line.replace(/█+░*|░+/, '[]').replace(/ · \d+ s left| · \d+ reports\/s.*/g, ''),
      );
    }

    it('has a bar for each source below all messages of any length', async () => {
      const url = `http://source/${'x'.repeat(100)}`;
      const lines = await screenAfter(async ({ iem, ogimet, log, redrawn }) => {
        iem.log('before the first bar');
        iem.begin(2);
        await redrawn();
        ogimet.begin(1);
        await redrawn();
        iem.retrying(url, '503', 2);
        await redrawn();
        ogimet.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: {} });
        await redrawn();
        log('Finishing current slices.');
        await redrawn();
        iem.done(SLICE as never, { kind: 'failed', reason: 'refused' });
      });
      const long = `iem: retrying in 2 s: 503 (${url})`;
      assert.deepEqual(lines, [
        'iem: before the first bar',
        long.slice(0, 80),
        long.slice(80),
        'Finishing current slices.',
        'iem: XAAA 2024-01-01 to 2024-01-02: not loaded: refused',
        'iem:    [] 1/2 slices · 1 failed',
        'ogimet: [] 1/1 slices · done',
        'the summary',
      ]);
    });
  });
});
