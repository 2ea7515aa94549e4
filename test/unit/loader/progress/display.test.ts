import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleOutput, type Display } from '../../../../loader/progress/display.ts';
import { loadProgress, stepProgress, type Tally } from '../../../../loader/progress/load-progress.ts';

/** A terminal that knows the control characters of the progress line. */
class Screen extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  readonly lines: string[] = [''];

  constructor(columns: number) {
    super({ decodeStrings: false });
    this.columns = columns;
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) this.lines.push('');
      const [before, ...after] = line.split('\r\x1b[K');
      this.lines.push((after.length === 0 ? this.lines.pop() : '') + (after.at(-1) ?? before ?? ''));
      if (after.length > 0) this.lines.splice(-2, 1);
    }
    done();
  }
}

const TALLY: Tally = {
  slices: 200,
  slicesDone: 49,
  slicesFailed: 1,
  slicesEmpty: 3,
  reports: 45_000,
  inserted: 44_000,
  requests: 70,
  bytes: 5_400_000,
  skipped: { 'NIL without time': 12, 'outside the window': 3 },
};

/** A run, and what it shows after so many seconds. */
function shownAfter(seconds: number, tally: Partial<Tally> = {}) {
  let state: Parameters<Display['begin']>[0] | undefined;
  const begin: Display['begin'] = (current) => {
    state = current;
  };
  const progress = loadProgress({ begin, log() {} }, 'slices', () => seconds);
  Object.assign(progress.tally, tally);
  progress.expect(0);
  return { progress, text: () => state?.().text ?? '' };
}

describe('progress text', () => {
  it('has progress, time left, speed, what is being done, and the reasons of skipped rows last', async () => {
    const { progress, text } = shownAfter(90, TALLY);
    assert.equal(
      await progress.track('EGLL 2019-01-01', async () => text()),
      '50/200 slices, 5 min left, 1 failed, 500 reports/s, EGLL 2019-01-01, 5.4 MB, 44000 new, ' +
        '12 NIL without time, 3 outside the window',
    );
  });

  it('gives the time left in seconds, minutes, hours or days', () => {
    const left = (elapsed: number, slicesDone = 49) =>
      /, ([\w ]+ left|done)/.exec(shownAfter(elapsed, { ...TALLY, slicesDone }).text())?.[1];
    assert.deepEqual(
      [left(10), left(1_000), left(10_000), left(1_000_000), left(10, 199)],
      ['30 s left', '50 min left', '8 h 20 min left', '35 days left', 'done'],
    );
    assert.match(shownAfter(9, { slices: 1 }).text(), /\? left/);
  });
});

const SLICE = { source: 'iem', station: 'XAAA', firstDay: '2024-01-01', endDay: '2024-01-02' } as const;

/** What a run prints on a stream that is not a terminal; speed and time left are masked. */
async function linesOf(
  format: 'text' | 'json',
  run: (display: Display) => void | Promise<void>,
): Promise<readonly string[]> {
  const stream = new PassThrough();
  const output = consoleOutput(stream, stream, { format });
  await output.showProgress(async (display) => run(display()));
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
  const progress = loadProgress(display);
  progress.events.retrying('http://source/', '503 over capacity', 3.2);
  progress.events.pausing('503 over capacity', 299.5);
  progress.expect(2);
  progress.events.started?.();
  progress.events.received?.(1_500_000);
  progress.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: { 'empty text': 1 } });
  progress.done(SLICE as never, { kind: 'failed', reason: '422 Invalid times provided.' });
}

describe('progress display', () => {
  it('prints lines where there is no terminal', async () => {
    assert.deepEqual(await linesOf('text', loadTwoSlices), [
      'retrying in 4 s: 503 over capacity (http://source/)',
      'source unavailable (503 over capacity); pausing 5 min',
      '0/2 slices, ? left, ? reports/s, 0 new',
      'XAAA 2024-01-01 to 2024-01-02: not loaded: 422 Invalid times provided.',
      '2/2 slices, done, 1 failed, ? reports/s, 1.5 MB, 24 new, 1 empty text',
    ]);
  });

  it('prints the steps of other work in the same form', async () => {
    const lines = await linesOf('text', (display) => {
      const advance = stepProgress(display)(3000);
      advance(1000);
    });
    assert.deepEqual(lines, [
      '0/3000 reports, ? left, ? reports/s',
      '1000/3000 reports, ? s left, ? reports/s',
    ]);
  });

  it('says what is being done: of several activities the oldest, and none that has ended', async () => {
    const { progress, text } = shownAfter(60);
    progress.expect(2);
    await progress.track('periods of record', async () => {});
    const shown = await progress.track('EGLL 2019-01-01', () =>
      progress.track('XAAA 2020-01-01', async () => {
        progress.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: {} });
        return text();
      }),
    );
    assert.equal(shown, '1/2 slices, 60 s left, 0 reports/s, EGLL 2019-01-01, 24 new');
  });

  it('prints one JSON object a line with LOG_FORMAT=json, with the counts', async () => {
    const printed = await linesOf('json', loadTwoSlices);
    const lines = printed.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ event }) => event),
      ['message', 'message', 'begin', 'message', 'progress'],
    );
    const { time, text, ...counts } = lines[4] ?? {};
    assert.ok(typeof time === 'string' && typeof text === 'string');
    assert.deepEqual(counts, {
      event: 'progress',
      slices: 2,
      slicesDone: 1,
      slicesFailed: 1,
      slicesEmpty: 0,
      reports: 25,
      inserted: 24,
      requests: 1,
      bytes: 1_500_000,
      skipped: { 'empty text': 1 },
    });
  });

  it('has one line for all sources on a terminal, with as many details as fit, below all messages, drawn at most once a second', async () => {
    const screen = new Screen(80);
    const output = consoleOutput(screen, screen);
    const loaded = { kind: 'loaded', reports: 25, inserted: 24, skipped: {} } as const;
    const seen: (string | undefined)[] = [];
    await output.showProgress(async (display) => {
      const [iem, ogimet] = [loadProgress(display('iem')), loadProgress(display('ogimet'))];
      iem.failed('before the first slice');
      iem.expect(3);
      ogimet.expect(1);
      iem.done(SLICE as never, loaded);
      seen.push(screen.lines.at(-1));
      iem.events.retrying('http://source/', '503', 2);
      output.log('Finishing current slices.');
      seen.push(screen.lines.at(-1));
      iem.done(SLICE as never, loaded);
      await sleep(1100);
      seen.push(screen.lines.at(-1));
      ogimet.done(SLICE as never, { kind: 'failed', reason: 'refused' });
    });
    assert.ok(screen.lines.every((line) => line.length < 80));
    output.print('the summary');
    const shown = (lines: readonly (string | undefined)[]) =>
      lines.map((line) => line?.replace(/, (\d+ s|\?) left|, \d+ reports\/s|, \d+ new/g, ''));
    assert.deepEqual(shown(seen), [
      'iem: 0/3 slices ogimet: 0/1 slices',
      'iem: 1/3 slices ogimet: 0/1 slices',
      'iem: 2/3 slices ogimet: 0/1 slices',
    ]);
    assert.deepEqual(shown(screen.lines), [
      'iem: before the first slice',
      'iem: retrying in 2 s: 503 (http://source/)',
      'Finishing current slices.',
      'ogimet: XAAA 2024-01-01 to 2024-01-02: not loaded: refused',
      'iem: 2/3 slices ogimet: 1/1 slices, done, 1 failed',
      'the summary',
      '',
    ]);
  });

  it('shows nothing of it with --quiet, but messages', async () => {
    for (const stream of [new Screen(80), new PassThrough()]) {
      const output = consoleOutput(stream, stream, { isQuiet: true });
      await output.showProgress(async (display) => loadTwoSlices(display()));
      const text = stream instanceof Screen ? stream.lines.join('\n') : readAll(stream);
      assert.match(text, /^retrying in 4 s/);
      assert.ok(!text.includes('/2 slices'), text);
    }
  });
});
