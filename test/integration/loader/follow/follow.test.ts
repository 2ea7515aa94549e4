import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { readMissingDays } from '../../../../clickhouse/coverage/station-days.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { runFollow } from '../../../../loader/commands/follow.ts';
import type { Config } from '../../../../loader/config.ts';
import { follow } from '../../../../loader/follow/follow.ts';
import { followMetrics } from '../../../../loader/follow/metrics.ts';
import { dueWork, type FollowCommand } from '../../../../loader/follow/source-follower.ts';
import type { LoadContext } from '../../../../loader/pipeline/load-slice.ts';
import type { ConsoleOutput } from '../../../../loader/progress/display.ts';
import {
  isServerTime,
  NO_LIMIT,
  readAllReports,
  serverTimeOf,
  useArchive,
} from '../../../support/archive/archive.ts';
import { BAD_GATEWAY, startClickHouseProxy } from '../../../support/clickhouse-proxy.ts';
import { until } from '../../../support/engine/engine.ts';
import { listenOnFreePort } from '../../../support/listen.ts';
import { readCommand } from '../../../support/loader/run-load.ts';
import { run } from '../../../support/process.ts';
import { hourly } from '../../../support/sources/iem-reports.ts';
import { replayLiveIem } from '../../../support/sources/replay-live-iem.ts';

describe('follow (D51)', () => {
  const archive = useArchive();
  const REPORTS = [...hourly('ABC', '2024-02-25', 12), ...hourly('ZZAA', '2024-02-25', 12)];

  /** Follows from one simulated time to another; the source has what was observed until then. */
  async function followFrom(start: string, end: string, args: string, faults: Faults = {}) {
    let now = new Date(start);
    const clock = () => now;
    const isWithin = ([from, to]: readonly [string, string] = ['', '']) =>
      now >= new Date(from) && now < new Date(to);
    const source = await replayLiveIem(REPORTS, clock, () => isWithin(faults.sourceAway));
    const stop = new AbortController();
    const command = readCommand<FollowCommand>(`follow --source iem ${args}`);
    const lines: string[] = [];
    const messages: string[] = [];
    const requests: number[] = [];
    const metrics = followMetrics(clock, ['iem']);
    let [pings, inserts] = [0, 0];
    const failure = (message: string, code: string) => Object.assign(new Error(message), { code });
    let hasGone = false;
    const throwIfAway = (isInsert = false) => {
      hasGone ||= isInsert;
      if (hasGone && isWithin(faults.archiveAway)) throw failure('gone', 'ECONNREFUSED');
    };
    const client: Archive = {
      ...archive.client,
      async select(...args) {
        throwIfAway();
        if (isServerTime(args[0])) return serverTimeOf(now);
        return archive.client.select(...args);
      },
      async insert(...args) {
        throwIfAway(isWithin(faults.archiveAway));
        inserts += 1;
        if (faults.insert === inserts) throw failure('broken', 'ECONNRESET');
        await archive.client.insert(...args);
      },
      async stream(...args) {
        if (args[0].query.includes('toMinute(observedAt)')) yearsRead += 1;
        return archive.client.stream(...args);
      },
      async ping(signal) {
        throwIfAway();
        pings += 1;
        if (faults.archive?.includes(pings)) throw failure('gone', 'ECONNREFUSED');
        await archive.client.ping(signal);
      },
    };
    source.addFaults(faults.source ?? []);
    let [sent, yearsRead] = [0, 0];
    const print = (line: string) => {
      lines.push(line);
      requests.push(source.requests.length - sent);
      sent = source.requests.length;
    };
    /** A cycle that has lasted too long is followed by the next one at once. */
    const pass = (ms: number) => {
      now = new Date(now.getTime() + Math.max(0, ms));
      if (now >= new Date(end)) stop.abort();
      stop.signal.throwIfAborted();
    };
    const timer = { elapsedMs: () => now.getTime(), sleep: async (ms: number) => pass(ms) };
    try {
      const settings = { hosts: { iem: source.url }, userAgent: 'test' };
      const output = { print, log: (line: string) => messages.push(line) };
      await follow(client, command, settings, { now: clock, timer, output, metrics, signal: stop.signal });
    } finally {
      await source.close();
    }
    return { lines, messages, requests, yearsRead, paths: source.requests, metrics: await metrics.text() };
  }
  type Faults = {
    readonly source?: readonly ('broken' | 'none')[];
    readonly archive?: readonly number[];
    readonly insert?: number;
    /** Simulated times: from the first to before the second. */
    readonly sourceAway?: readonly [string, string];
    /** Begins with an insert. */
    readonly archiveAway?: readonly [string, string];
  };
  const missingDays = async () => {
    const [firstDay, endDay] = ['2024-02-25', '2024-03-04'] as [Day, Day];
    const asked = { source: 'iem', stations: ['*'], firstDay, endDay };
    const missing = (await readMissingDays(archive.client, asked)).get('*') ?? [];
    return missing.map((range) => `${range.firstDay} to ${range.endDay}`);
  };
  const storedTimes = async () => (await readAllReports(archive.client)).map(({ observedAt }) => observedAt);
  const observedBetween = (from: string, to: string) =>
    REPORTS.map(({ valid }) => Date.parse(`${valid.replace(' ', 'T')}Z`)).filter(
      (time) => time >= Date.parse(from) && time < Date.parse(to),
    ).length;

  it('keeps an archive current for days: every report in its cycle, days done after 72 hours, at most three requests a cycle', async () => {
    const { lines, messages, requests, paths, metrics } = await followFrom(
      '2024-03-02T12:05:00Z',
      '2024-03-04T08:05:00Z',
      '--stations all --from 2024-02-26 --every 4h --interval 0',
    );
    assert.deepEqual(messages, ['iem: following; the first cycle loads what is missing since 2024-02-26']);
    assert.equal(lines.length, 11);
    // A day is requested for good in the first cycle after its 72 hours.
    for (const line of lines) assert.match(line, / 0 days not done;/);
    assert.ok(Math.max(...requests.slice(1)) <= 3, requests.join());
    assert.equal((await storedTimes()).length, observedBetween('2024-02-26', '2024-03-04T04:05Z'));
    // The last three days before the fourth of March are provisional.
    assert.deepEqual(await missingDays(), ['2024-02-25 to 2024-02-26', '2024-03-01 to 2024-03-04']);
    const last =
      /^2024-03-04T04:05:00Z iem: \d+ reports, \d+ new, \d requests?, \d\.\d MB; newest report 14 min old; 0 days not done; next cycle at 2024-03-04T08:05:00Z$/;
    assert.match(lines.at(-1) ?? '', last);
    assert.match(metrics, /^history_newest_report_age_seconds 15240$/m);
    assert.match(metrics, /^history_loader_days_not_done\{source="iem"\} 0$/m);
    const lists = paths.filter((path) => path.startsWith('/geojson')).length;
    assert.ok(lists >= 2 && lists <= 4, `${lists} lists of stations`);
  });

  it('survives outages of the source and of the archive, says what it waits for, and then has every report', async () => {
    const { lines, messages, metrics } = await followFrom(
      '2024-03-04T08:05:00Z',
      '2024-03-04T20:05:00Z',
      '--stations all --from 2024-03-04 --every 4h --interval 0',
      { source: ['none', 'broken', 'broken'], archive: [2, 3] },
    );
    assert.equal(lines.length, 3);
    assert.match(messages.join('\n'), /^waiting for the archive: Error: gone$/m);
    assert.match(messages.join('\n'), /^iem: retrying in 1 s: 503 ERROR: server over capacity/m);
    assert.equal((await storedTimes()).length, observedBetween('2024-02-26', '2024-03-04T16:05Z'));
    assert.match(metrics, /^history_loader_requests_total\{source="iem"\} \d+$/m);
  });

  it('says at once that the archive broke off in the middle of a cycle, and goes on with it', async () => {
    const { lines, messages } = await followFrom(
      '2024-03-04T20:05:00Z',
      '2024-03-05T00:05:00Z',
      '--stations all --from 2024-03-04 --every 4h --interval 0',
      { insert: 1 },
    );
    assert.deepEqual(
      messages.slice(1).map((line) => line.replace(/\d+ s$/, 'N s')),
      ['waiting for the archive: Error: broken', 'the archive is available again after N s'],
    );
    assert.equal(lines.length, 1);
    assert.equal((await storedTimes()).length, observedBetween('2024-02-26', '2024-03-04T20:05Z'));
  });

  it('survives hours without its source, and hours without its archive, from the middle of a cycle', async () => {
    const { messages, requests } = await followFrom(
      '2024-03-05T00:05:00Z',
      '2024-03-06T04:05:00Z',
      '--stations KABC,ZZAA --from 2024-03-05 --every 4h',
      {
        sourceAway: ['2024-03-05T04:05:01Z', '2024-03-05T10:30:00Z'],
        archiveAway: ['2024-03-05T16:05:00Z', '2024-03-05T19:30:00Z'],
      },
    );
    const said = messages.join('\n');
    assert.match(said, /^iem: source unavailable \(503 .*\); pausing 5 min$/m);
    assert.match(said, /^iem: source unavailable \(503 .*\); pausing 60 min$/m);
    assert.ok(Math.max(...requests) < 30, `${requests}`);
    const ofArchive = messages.filter((line) => line.includes('archive'));
    assert.deepEqual(
      ofArchive.map((line) => line.replace(/\d+ .*?(?=:|$)/, 'a time')),
      [
        'waiting for the archive: Error: gone',
        ...Array(3).fill('waiting for the archive for a time: Error: gone'),
        'the archive is available again after a time',
      ],
    );
    assert.equal((await storedTimes()).length, observedBetween('2024-02-26', '2024-03-06T03:30Z'));
  });

  it('infers the types of all stations from the year, which it does not read in each cycle', async () => {
    const { lines, yearsRead } = await followFrom(
      '2024-03-06T04:05:00Z',
      '2024-03-06T18:05:00Z',
      '--stations all --from 2024-03-06 --every 1h --interval 0',
    );
    assert.equal(lines.length, 14);
    // At 15:07, after the last day was loaded; the minute 51 is that of the METARs.
    const since = Date.parse('2024-03-06T04:05:00Z') / 1000;
    const stored = await readAllReports(archive.client, 'KABC');
    const types = stored
      .filter(({ observedAt }) => observedAt > since)
      .map(({ type, observedAt }) => `${type} ${Math.floor(observedAt / 60) % 60}`);
    assert.deepEqual([...new Set(types)].sort(), ['METAR 51', 'SPECI 7']);
    assert.ok(yearsRead < lines.length / 2, `${yearsRead} in ${lines.length} cycles`);
  });

  it('waits for an archive behind a proxy that answers with its own page, serves metrics and health, and ends at once on SIGTERM with 130', async () => {
    const source = await replayLiveIem(REPORTS, () => new Date());
    const proxy = await startClickHouseProxy(archive.url);
    proxy.change = BAD_GATEWAY;
    const follower = () =>
      run('load', 'follow --source iem --stations KABC --every 1m --interval 0'.split(' '), {
        CLICKHOUSE_URL: proxy.url,
        CLICKHOUSE_DATABASE: archive.database,
        IEM_URL: source.url,
        LOADER_METRICS_PORT: '0',
      });
    const waits = /waiting for the archive: InvalidAnswerError: .* status 502 \(502 Bad Gateway\)/;
    const waiting = follower();
    await until(() => waits.test(waiting.output()));
    waiting.kill('SIGTERM');
    assert.equal((await waiting.finished).code, 130);
    proxy.change = undefined;
    const loader = follower();
    try {
      await loader.until(/iem: 0 reports, .* next cycle at/);
      const url = /metrics on (\S+)\/metrics/.exec(loader.output())?.[1];
      assert.equal(await (await fetch(`${url}/healthz`)).text(), 'ok\n');
      const metrics = await (await fetch(`${url}/metrics`)).text();
      assert.match(metrics, /^history_loader_last_success_timestamp_seconds\{source="iem"\} \d+/m);
      const stopped = performance.now();
      loader.kill('SIGTERM');
      const { code, out } = await loader.finished;
      assert.equal(code, 130, out);
      assert.ok(performance.now() - stopped < 30_000, `${performance.now() - stopped} ms`);
      assert.doesNotMatch(out, /Finishing current slices/);
    } finally {
      loader.kill('SIGKILL');
      await proxy.stop();
      await source.close();
    }
  });

  it('says in one line that the port of its metrics is in use, before it opens the archive', async () => {
    const other = createServer();
    const port = await listenOnFreePort(other);
    const messages: string[] = [];
    const output = { log: (line: string) => messages.push(line) } as unknown as ConsoleOutput;
    const config = { host: '127.0.0.1', metricsPort: port, archive: { kind: 'server' } } as Config;
    const command = { kind: 'follow', sources: ['iem'] } as unknown as FollowCommand;
    const context = { config, output, stop: { afterSlice: NO_LIMIT, now: NO_LIMIT } };
    const reason = await runFollow(command, context, () => assert.fail('opened'));
    assert.equal(reason, 'invalidArguments');
    assert.match(
      messages.join('\n'),
      /^LOADER_METRICS_PORT \d+ of 127\.0\.0\.1 cannot be used: .*EADDRINUSE.*$/,
    );
    other.close();
  });
});

describe('work that is due', () => {
  const archive = useArchive();

  it('names the days again that a source left out, and others not before a day has passed', async () => {
    const command = readCommand<FollowCommand>('follow --source iem --stations KABC --from 2024-02-20');
    const now = new Date('2024-03-04T12:00:00Z');
    // What it reads of a load: no slice is loaded here.
    const { client } = archive;
    const context = { archive: client, source: 'iem', now: () => now, signal: NO_LIMIT } as LoadContext;
    const due = dueWork(command, 'iem');
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
