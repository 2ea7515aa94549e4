import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { follow } from '../../../../loader/follow/follow.ts';
import { followMetrics } from '../../../../loader/follow/metrics.ts';
import type { FollowCommand } from '../../../../loader/follow/source-follower.ts';
import { isServerTime, serverTimeOf, useArchive } from '../../../support/archive/archive.ts';
import { readCommand } from '../../../support/loader/run-load.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { replayLiveIem } from '../../../support/sources/replay-live-iem.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a clock shows at a time. */
type Clock = (time: Date) => Date | undefined;
const right: Clock = (time) => time;
const none: Clock = () => undefined;
const off =
  (days: number): Clock =>
  (time) =>
    new Date(time.getTime() + days * DAY_MS);

describe('follow with clocks that differ (D70)', () => {
  const archive = useArchive('each');
  const REPORTS = [...hourly('ABC', '2024-02-25', 12), ...hourly('ZZAA', '2024-02-25', 12)];
  const START = Date.parse('2024-03-01T12:05:00Z');

  type Clocks = { readonly loader: Clock; readonly source?: Clock; readonly server?: Clock };

  /** Follows for some hours, in cycles of an hour. */
  async function followFor(
    hours: number,
    { loader, source = right, server = right }: Clocks,
    args = '--stations all',
  ) {
    let time = new Date(START);
    const now = () => loader(time) as Date;
    const stop = new AbortController();
    const iem = await replayLiveIem(
      REPORTS,
      () => time,
      undefined,
      () => source(time),
    );
    const command = readCommand<FollowCommand>(`follow --source iem --from 2024-02-26 --interval 0 ${args}`);
    const [lines, messages]: [string[], string[]] = [[], []];
    const client: Archive = {
      ...archive.client,
      select: async (...args) =>
        isServerTime(args[0]) ? serverTimeOf(server(time) as Date) : archive.client.select(...args),
    };
    /** Later than asked for by a second, as a request takes time. */
    const sleep = async (ms: number) => {
      time = new Date(time.getTime() + ms + 1000);
      if (time.getTime() >= START + hours * HOUR_MS) stop.abort();
      stop.signal.throwIfAborted();
    };
    const timer = { elapsedMs: () => time.getTime(), sleep };
    const output = { print: (line: string) => lines.push(line), log: (line: string) => messages.push(line) };
    const settings = { hosts: { iem: iem.url }, userAgent: 'test' };
    try {
      await follow(client, command, settings, {
        now,
        timer,
        output,
        metrics: followMetrics(now, ['iem']),
        signal: stop.signal,
      });
    } finally {
      await iem.close();
    }
    const asked = iem.requests.filter((path) => path.includes('sts='));
    return { lines, messages: messages.slice(1), asked };
  }

  /** The days that the ledger calls done. */
  const doneDays = async () =>
    selectRows<{ firstDay: string; doneDay: string }>(archive.client, {
      query: 'SELECT firstDay, doneDay FROM slices WHERE firstDay < doneDay ORDER BY firstDay, doneDay',
    });

  const wrong: readonly (readonly [title: string, clocks: Clocks, message: RegExp])[] = [
    ['the loader is ten days ahead', { loader: off(10) }, /10 days ahead of that of ClickHouse/],
    [
      'the loader and the engine of its machine are ten days ahead',
      { loader: off(10), server: off(10) },
      /10 days ahead of that of 127\.0\.0\.1:\d+/,
    ],
    ['the loader is ten days behind', { loader: off(-10), server: off(-10) }, /10 days behind that of 127/],
    ['the server is ten days ahead', { loader: right, server: off(10) }, /10 days behind that of ClickHouse/],
    ['the source is ten days behind', { loader: right, source: off(-10) }, /10 days ahead of that of 127/],
    ['the source is ten days ahead', { loader: right, source: off(10) }, /10 days behind that of 127/],
    [
      'the source has the time of 1970',
      { loader: right, source: () => new Date(0) },
      /ahead of that of 127\S+ \(1970-01-01T00:00:00Z\)/,
    ],
  ];
  for (const [title, clocks, message] of wrong)
    it(`asks for no report and records nothing while ${title}, and says so at once`, async () => {
      const { lines, messages, asked } = await followFor(2, clocks);
      assert.match(messages[0] ?? '', message);
      // Once at first, and then once an hour.
      assert.ok(messages.length >= 2 && messages.length <= 3, messages.join('\n'));
      assert.deepEqual([asked, lines], [[], []]);
      assert.deepEqual(await doneDays(), []);
    });

  it('goes on once the clock is right, with every day that it would have done', async () => {
    const isCorrected = (time: Date) => time.getTime() >= START + 2 * HOUR_MS;
    const clock: Clock = (time) => (isCorrected(time) ? time : off(10)(time));
    const { lines, messages } = await followFor(5, { loader: clock, server: clock });
    assert.match(messages.join('\n'), /the clocks are equal again after 120 min|after 2 h/);
    assert.ok(lines.length >= 2, lines.join('\n'));
    assert.match(lines[0] ?? '', / 0 days not done;/);
    assert.deepEqual(
      (await doneDays()).map(({ doneDay }) => doneDay),
      ['2024-02-27'],
    );
  });

  it('records no day that its clock calls old enough in the middle of a cycle, after a jump', async () => {
    // Ten days ahead from the second request for reports on.
    let jumped = false;
    const clock: Clock = (time) => (jumped ? off(10)(time) : time);
    const counted: Clock = (time) => {
      asks += 1;
      if (asks === 3) jumped = true;
      return time;
    };
    let asks = 0;
    const { messages } = await followFor(2, { loader: clock, server: clock, source: counted });
    assert.match(messages.join('\n'), /10 days ahead of that of 127/);
    for (const { doneDay } of await doneDays()) assert.ok(doneDay <= '2024-02-27', doneDay);
  });

  it('takes the clock of the server where the source has none', async () => {
    const { lines } = await followFor(2, { loader: right, source: none });
    assert.ok(lines.length >= 1);
    assert.deepEqual(
      (await doneDays()).map(({ doneDay }) => doneDay),
      ['2024-02-27'],
    );
    const ahead = await followFor(2, { loader: off(10), source: none });
    assert.match(ahead.messages[0] ?? '', /10 days ahead of that of ClickHouse/);
  });
});
