import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFormat } from '../../../../loader/config.ts';
import { barText, consoleOutput, type Display } from '../../../../loader/progress/display.ts';
import {
  type LoadProgress,
  loadProgress,
  stepProgress,
  type Tally,
  tallyDetails,
} from '../../../../loader/progress/load-progress.ts';

/** A terminal with the control sequences that the progress bars use. `lines` is its screen. */
class Screen extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  private readonly cells: string[][] = [[]];
  private row = 0;
  private column = 0;

  constructor(columns: number) {
    super({ decodeStrings: false });
    this.columns = columns;
  }

  get lines(): readonly string[] {
    const lines = this.cells.map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  override _write(text: string, _encoding: string, done: () => void): void {
    const [plain = '', ...controls] = text.split('\x1b[');
    for (const character of plain) this.print(character);
    for (const control of controls) {
      // ECMA-48: CSI, a number, a letter.
      const [whole = '', count, letter = ''] = /^\??(\d*)([A-Za-z])/.exec(control) ?? [];
      this.control(letter, count === '' ? undefined : Number(count));
      for (const character of control.slice(whole.length)) this.print(character);
    }
    done();
  }

  private print(character: string): void {
    if (character === '\n') {
      this.moveDown();
      return;
    }
    if (this.column === this.columns) this.moveDown();
    this.line[this.column] = character;
    this.column += 1;
  }

  private control(letter: string, count: number | undefined): void {
    if (letter === 'A') this.row -= count ?? 1;
    else if (letter === 'G') this.column = (count ?? 1) - 1;
    else if (letter === 'J') {
      this.cells.length = this.row + 1;
      this.line.length = this.column;
    } else if (letter === 'K') this.line.length = count === 2 ? 0 : this.column;
    else throw new Error(`unknown control sequence: CSI ${count ?? ''} ${letter}`);
  }

  private get line(): string[] {
    const line = this.cells[this.row] ?? [];
    this.cells[this.row] = line;
    return line;
  }

  private moveDown(): void {
    this.row += 1;
    this.column = 0;
    this.cells[this.row] ??= [];
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
const textOf = (columns: number, about: Partial<Tally> = {}, elapsedSeconds = 90) => {
  const tally = { ...TALLY, ...about };
  const finished = tally.slicesDone + tally.slicesFailed;
  const details = tallyDetails(tally, elapsedSeconds, 'EGLL 2019-01-01');
  const state = { unit: 'slices', total: tally.slices, finished, details, fields: tally };
  return barText('iem: ', state, elapsedSeconds, columns);
};

describe('progress bar text', () => {
  it('has progress, time left, speed and what is being done at 89 columns', () =>
    assert.equal(
      textOf(89),
      'iem: ██░░░░░░░ 50/200 slices · 5 min left · 1 failed · 500 reports/s · EGLL 2019-01-01',
    ));

  it('has more details at more columns, the reasons of skipped rows last', () =>
    assert.equal(
      textOf(198),
      'iem: ██████░░░░░░░░░░░░░░░░░░░ 50/200 slices · 5 min left · 1 failed · 500 reports/s · EGLL 2019-01-01 · 5.4 MB · 15 skipped · ' +
        '44000 new · 70 requests · 12 NIL without time · 3 outside the window',
    ));

  it('has a full bar when more slices are finished than were planned', () =>
    assert.match(textOf(80, { slicesDone: 300 }), /^iem: █+ 301\/200 slices · /));

  it('leaves three columns empty at any width', () => {
    for (let columns = 20; columns <= 200; columns += 1) assert.ok(textOf(columns).length <= columns - 3);
  });

  it('gives the time left in seconds, minutes, hours or days', () => {
    const left = (elapsed: number, slicesDone = 49) =>
      / · ([\w ]+ left|done)/.exec(textOf(80, { slicesDone }, elapsed))?.[1];
    assert.deepEqual(
      [left(10), left(1_000), left(10_000), left(1_000_000), left(10, 199)],
      ['30 s left', '50 min left', '8 h 20 min left', '35 days left', 'done'],
    );
    assert.match(textOf(80, { slicesDone: 0, slicesFailed: 0 }), /\? left/);
  });
});

const SLICE = { source: 'iem', station: 'XAAA', firstDay: '2024-01-01', endDay: '2024-01-02' } as const;

/** What a run prints on a stream that is not a terminal; speed and time left are masked. */
async function linesOf(
  format: LogFormat,
  run: (display: Display) => void | Promise<void>,
): Promise<readonly string[]> {
  const stream = new PassThrough();
  const output = consoleOutput(stream, stream);
  output.useFormat(format);
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
      '0/2 slices',
      '1/2 slices, ? s left, ? reports/s, 1.5 MB, 1 skipped, 24 new, 1 request, 1 empty text',
      'XAAA 2024-01-01 to 2024-01-02: not loaded: 422 Invalid times provided.',
    ]);
  });

  it('prints the steps of other work in the same form', async () => {
    const lines = await linesOf('text', (display) => {
      const progress = stepProgress(display);
      progress.begin(3000);
      progress.advance(1000);
    });
    assert.deepEqual(lines, ['0/3000 reports', '1000/3000 reports, ? s left, ? reports/s']);
  });

  it('says what is being done: of several activities the oldest, and none that has ended', async () => {
    const lines = await linesOf('json', async (display) => {
      const progress = loadProgress(display);
      progress.expect(2);
      await progress.track('periods of record', async () => {});
      await progress.track('EGLL 2019-01-01', () =>
        progress.track('XAAA 2020-01-01', async () => {
          progress.done(SLICE as never, { kind: 'loaded', reports: 25, inserted: 24, skipped: {} });
        }),
      );
    });
    const { activity, text } = JSON.parse(lines.at(-1) ?? '');
    assert.equal(activity, 'EGLL 2019-01-01');
    assert.match(text, /^1\/2 slices, \? s left, \? reports\/s, EGLL 2019-01-01, 24 new$/);
  });

  it('prints one JSON object a line with LOG_FORMAT=json, with the counts', async () => {
    const printed = await linesOf('json', loadTwoSlices);
    const lines = printed.map((line) => JSON.parse(line) as Record<string, unknown>);
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
      const output = consoleOutput(screen, screen);
      await output.showProgress(async (display) => {
        const [iem, ogimet] = ['iem', 'ogimet'].map((name) => loadProgress(display(name))) as [
          LoadProgress,
          LoadProgress,
        ];
        await work({ iem, ogimet, log: output.log, redrawn: () => sleep(250) });
      });
      output.print('the summary');
      return screen.lines.map((line) =>
        line.replace(/█+░*|░+/, '[]').replace(/ · \d+ s left| · \d+ reports\/s.*/g, ''),
      );
    }

    it('has a bar for each source below all messages of any length', async () => {
      const url = `http://source/${'x'.repeat(100)}`;
      const lines = await screenAfter(async ({ iem, ogimet, log, redrawn }) => {
        iem.log('before the first bar');
        iem.expect(2);
        await redrawn();
        ogimet.expect(1);
        await redrawn();
        iem.events.retrying(url, '503', 2);
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
