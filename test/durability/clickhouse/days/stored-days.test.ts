import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { newRun } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { fillDays } from '../../../../clickhouse/days/refresh.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { removeSource, removeStations } from '../../../../loader/commands/remove.ts';
import { normalize } from '../../../../loader/pipeline/normalize.ts';
import { redecode } from '../../../../loader/pipeline/redecode.ts';
import { MinuteHistogram } from '../../../../loader/pipeline/report-type.ts';
import { loadReports } from '../../../../loader/pipeline/write.ts';
import { Writer } from '../../../../loader/pipeline/writer.ts';
import type { StepProgress } from '../../../../loader/progress/load-progress.ts';
import { describeStations, NO_LIMIT, useArchive } from '../../../support/archive/archive.ts';
import { assertSurvives, KILLS, killedAfter, passTwoHours } from '../../../support/days/kills.ts';
import { areStored, assertServedDays } from '../../../support/days/served-days.ts';
import { seededRandom, shuffled } from '../../../support/random.ts';
import { repetitions } from '../../../support/repetitions.ts';

type Random = () => number;
const STATIONS = ['XAAA', 'XAAB'] as const;
/** Around the turns of months, which reports of other months decide too. */
const BEGINS = ['2023-12-30T12:00:00Z', '2024-01-30T00:00:00Z', '2024-02-28T18:00:00Z'];

function randomRows(random: Random) {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const [begin, hours] = [Date.parse(pick(BEGINS)) / 3_600_000, 1 + Math.floor(random() * 60)];
  const station = pick(STATIONS);
  return Array.from({ length: hours }, (_, n) => begin + n).flatMap((hour) => {
    if (random() < 0.1) return [];
    const minute = pick([51, 51, 51, 20]);
    const filedAt = hour * 3600 + minute * 60;
    const at = new Date(filedAt * 1000).toISOString();
    const time = `${at.slice(8, 10)}${at.slice(11, 13)}${at.slice(14, 16)}Z`;
    const more = [
      random() < 0.3 ? ` PK WND 20030/${pick(['2350', '0010', '1200'])}` : '',
      random() < 0.3 ? ` P00${10 + Math.floor(random() * 80)}` : '',
      random() < 0.2 ? ` 600${10 + Math.floor(random() * 80)}` : '',
      random() < 0.1 ? ' 70123' : '',
      random() < 0.2 ? ' T01230071 10150 20050' : '',
      random() < 0.1 ? ' 4/005' : '',
    ].join('');
    const body = `${pick(['18004KT', '27015G25KT', 'XX'])} 10SM ${pick(['', '-RA ', 'SN ', 'FG '])}CLR 12/07 A2992`;
    return [{ station, filedAt, text: `${station} ${time} ${body} RMK AO2${more}` }];
  });
}

function contextOf(archive: Archive, source: 'iem' | 'ogimet' | 'demo' = 'iem') {
  const writer = new Writer(archive, newRun());
  return { archive, source, writer, minutes: new MinuteHistogram(), listedStations: new Set<string>() };
}

async function load(archive: Archive, random: Random, source: 'iem' | 'ogimet' | 'demo' = 'iem') {
  const context = contextOf(archive, source);
  await loadReports(context, normalize({ rows: randomRows(random), skipped: {} }), { scope: 'few stations' });
  return context.writer;
}

const SILENT: StepProgress = () => () => {};
const INTERRUPTION = { afterSlice: NO_LIMIT, now: NO_LIMIT };
const YEARS = { from: Date.UTC(2023, 0) / 1000, to: Date.UTC(2025, 0) / 1000, stations: [] };

/** What changes reports or days; each may come at any time, in any order. */
const STEPS: Readonly<Record<string, (archive: Archive, random: Random) => Promise<unknown>>> = {
  'a load': async (archive, random) => (await load(archive, random)).close(),
  'a late report': async (archive, random) => (await load(archive, random)).close(),
  'a load that has not computed its days': (archive, random) => load(archive, random),
  'a load that is killed': async (archive, random) => {
    const work = load(
      killedAfter(archive, KILLS[Math.floor(random() * KILLS.length)] ?? KILLS[0]),
      random,
    ).then((writer) => writer.close());
    await work.catch((error) => assert.match(String(error), /killed/));
  },
  'two loaders at the same time': async (archive, random) => {
    const [one, other] = [await load(archive, random), contextOf(archive, 'ogimet')];
    const rows = normalize({ rows: randomRows(random), skipped: {} });
    await Promise.all([one.close(), loadReports(other, rows, { scope: 'few stations' })]);
    await other.writer.close();
  },
  'a loader that computes while it writes': async (archive, random) => {
    const context = contextOf(archive);
    const rows = () => normalize({ rows: randomRows(random), skipped: {} });
    await loadReports(context, rows(), { scope: 'few stations' });
    await Promise.all([
      context.writer.refreshDays(),
      loadReports(context, rows(), { scope: 'few stations' }),
    ]);
    await context.writer.close();
  },
  'an older decoder, then a newer one': async (archive) => {
    await archive.command({
      query:
        'ALTER TABLE station_observations UPDATE decoder = 1 WHERE cityHash64(text) % 2 = 0 SETTINGS mutations_sync = 2',
    });
    const context = contextOf(archive);
    await redecode({ ...context, progress: SILENT, stop: INTERRUPTION }, YEARS);
    await context.writer.close();
  },
  'days that are removed': (archive) =>
    removeStations(
      archive,
      { stations: ['XAAA'], firstDay: '2024-01-31' as Day, endDay: '2024-02-02' as Day },
      false,
    ),
  'a station that is removed': (archive) =>
    removeStations(
      archive,
      { stations: ['XAAB'], firstDay: '2005-01-01' as Day, endDay: '2025-01-01' as Day },
      true,
    ),
  'a source that is removed': async (archive, random) => {
    await (await load(archive, random, 'demo')).close();
    await removeSource(archive, 'demo');
  },
  'a zone that becomes known': (archive) =>
    describeStations(archive, [
      { source: 'iem', station: 'XAAA', position: { latitude: 40.6, longitude: -73.8 } },
    ]),
  'another zone': (archive) =>
    describeStations(archive, [
      { source: 'iem', station: 'XAAA', position: { latitude: 28.6, longitude: 77.1 } },
    ]),
  'two hours': (archive) => passTwoHours(archive, truncateIn(archive)),
  'a clock that is set back': (archive) => passTwoHours(archive, truncateIn(archive), '+'),
  'a migration': (archive) => fillDays(archive),
};

describe('stored days', () => {
  const archive = useArchive('each');

  for (let seed = 1; seed <= repetitions({ usual: 1, long: 60 }); seed += 1)
    it(`are those of the reports, whatever happens (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const done: string[] = [];
      await (await load(archive.client, random)).close();
      await fillDays(archive.client);
      for (const name of shuffled(Object.keys(STEPS), random)) {
        done.push(name);
        await STEPS[name]?.(archive.client, random);
        await assertServedDays(archive.client, STATIONS, done.join(', '));
      }
    });

  it('are read once they are stored, until a report, a zone or a loader says otherwise, also where the clock is set back', async () => {
    const { client } = archive;
    const reports = (day: number) =>
      normalize({
        rows: [1, 2, 3, 4].map((month) => ({
          station: 'XAAA',
          filedAt: Date.UTC(2023, 11 + month - 1, day, 11, 51) / 1000,
          text: `XAAA ${String(day).padStart(2, '0')}1151Z 18004KT 10SM CLR 12/07 A2992`,
        })),
        skipped: {},
      });
    const first = contextOf(client);
    await loadReports(first, reports(10), { scope: 'few stations' });
    assert.equal(await areStored(client, ['XAAA']), false, 'not computed');
    await first.writer.close();
    assert.equal(await areStored(client, ['XAAA']), true, 'computed');
    await loadReports(contextOf(client), reports(10), { scope: 'few stations' });
    assert.equal(await areStored(client, ['XAAA']), true, 'the same reports');
    const second = contextOf(client);
    await loadReports(second, reports(11), { scope: 'few stations' });
    assert.equal(await areStored(client, ['XAAA']), false, 'another report');
    await second.writer.close();
    assert.equal(await areStored(client, ['XAAA']), true, 'computed again');
    await STEPS['a zone that becomes known']?.(client, seededRandom(1));
    assert.equal(await areStored(client, ['XAAA']), false, 'another zone');
    assert.ok((await fillDays(client)).computed > 0);
    assert.equal(await areStored(client, ['XAAA']), true, 'filled');
    assert.deepEqual(await fillDays(client), { computed: 0, isWhole: true });
    await STEPS['a clock that is set back']?.(client, seededRandom(1));
    const third = contextOf(client);
    await loadReports(third, reports(12), { scope: 'few stations' });
    await third.writer.close();
    await assertServedDays(client, ['XAAA'], 'a report after the clock was set back');
    assert.equal(await areStored(client, ['XAAA']), true, 'computed by a later version');
  });

  for (const kill of KILLS)
    it(`of a loader that was killed ${kill[0]} are computed, and then those of the next loader`, () =>
      assertSurvives(archive.client, STATIONS, kill, truncateIn(archive.client)));

  it('of few reports in each of many months stay open, until no loader has opened them for an hour', async () => {
    const { client } = archive;
    const stations = Array.from(
      { length: 210 },
      (_, n) => `X${String.fromCharCode(65 + (n % 26), 65 + Math.floor(n / 26))}A`,
    );
    const open = () => selectRows<{ months: number }>(client, { query: OPEN_MONTHS });
    const loadDay = async (date: number) => {
      const rows = stations.map((station) => ({
        station,
        filedAt: Date.UTC(2024, 0, date, 11, 51) / 1000,
        text: `${station} ${date}1151Z 18004KT 10SM CLR 12/07 A2992`,
      }));
      const day = contextOf(client);
      await loadReports(day, normalize({ rows, skipped: {} }), { scope: 'all stations' });
      await day.writer.close();
    };
    await loadDay(15);
    assert.deepEqual(await open(), [{ months: 210 }]);
    await (await load(client, seededRandom(4))).close();
    assert.deepEqual(await open(), [{ months: 210 }], 'another load at once');
    await passTwoHours(client, truncateIn(client));
    await (await load(client, seededRandom(5))).close();
    assert.deepEqual(await open(), [{ months: 0 }], 'a later load');
    await loadDay(16);
    assert.equal((await fillDays(client)).computed, 210);
    assert.deepEqual(await open(), [{ months: 0 }], 'a migration');
  });
});

const OPEN_MONTHS = 'SELECT toUInt32(count()) AS months FROM day_months FINAL WHERE isOpen';
const truncateIn = (archive: Archive) => (table: string) =>
  archive.command({ query: `TRUNCATE TABLE ${table}` });
