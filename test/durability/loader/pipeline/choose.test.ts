import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { newRun } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS } from '../../../../clickhouse/coverage/station-listings.ts';
import { type Counts, type Report, type Source, versionAbove } from '../../../../clickhouse/model/report.ts';
import { NOMINAL_HOUR } from '../../../../clickhouse/model/time-window.ts';
import { insertRevisions, type Revision } from '../../../../clickhouse/observations/insert.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { removeSource } from '../../../../loader/commands/remove.ts';
import { DECODER_VERSION } from '../../../../loader/decode.ts';
import { normalize } from '../../../../loader/pipeline/normalize.ts';
import { reclassifyConflicts, reclassifyYear } from '../../../../loader/pipeline/reclassify.ts';
import { redecode } from '../../../../loader/pipeline/redecode.ts';
import { MinuteHistogram } from '../../../../loader/pipeline/report-type.ts';
import {
  finishReports,
  loadReports,
  reconcileAndWrite,
  type WriteScope,
  writtenRange,
} from '../../../../loader/pipeline/write.ts';
import { Writer } from '../../../../loader/pipeline/writer.ts';
import type { StepProgress } from '../../../../loader/progress/load-progress.ts';
import { importSnapshot } from '../../../../loader/snapshot/import.ts';
import { openSnapshot } from '../../../../loader/snapshot/snapshot-folder.ts';
import {
  emptyArchive,
  NO_LIMIT,
  newMarks,
  put,
  report,
  useArchive,
} from '../../../support/archive/archive.ts';
import { seededRandom, shuffled } from '../../../support/random.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { exportTo } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

/**
 * What each report counts for by the definition, with windows over all current rows. A report of 11:51 is of the nominal hour
 * of 12:00. The number of a correction, the rank of the source and the length of the text decide in one minute.
 */
const WRONG = `
  SELECT station, toString(observedAt) AS at, type, raw, counts, expected
  FROM
  (
      SELECT
          *,
          multiIf(
              isNotNull(nil), 'no',
              type = 'METAR' AND placeInHour = 1, 'hour',
              placeInMinute = 1, 'minute',
              'no') AS expected
      FROM
      (
          SELECT
              *, raw, $minute, $hour
          FROM $table FINAL
          WHERE NOT retracted
      )
  )
  WHERE counts != expected
  ORDER BY station, at`;
const BEST =
  'ifNull(cor, 0) + ifNull(cor_number, 0) DESC, bitShiftRight(version, 24) DESC, length(raw) DESC, fingerprint';
const PLACES = {
  $minute: `row_number() OVER (PARTITION BY station, type, nil, observedAt ORDER BY ${BEST}) AS placeInMinute`,
  $hour: `row_number() OVER (PARTITION BY station, type, nil, ${NOMINAL_HOUR} ORDER BY observedAt, ${BEST}) AS placeInHour`,
};

const TWICE = `
  SELECT station, toString(observedAt) AS at, fingerprint
  FROM $table FINAL
  WHERE NOT retracted
  GROUP BY station, observedAt, fingerprint
  HAVING count() > 1`;

const SAME_ROWS = `
  SELECT station, observedAt, type, fingerprint, version, counts, cityHash64(text, clean, decoder, source)
  FROM $table FINAL
  ORDER BY station, observedAt, type, fingerprint`;

/** Both tables hold the same rows, each report once, and in both it counts for what the definition says. */
async function assertChosen(client: Archive, state: string): Promise<void> {
  const tables: unknown[] = [];
  for (const table of REPORT_TABLES) {
    const fill = (template: string) =>
      Object.entries({ ...PLACES, $table: table }).reduce(
        (sql, [name, by]) => sql.replace(name, by),
        template,
      );
    for (const query of [TWICE, WRONG])
      assert.deepEqual(await selectRows(client, { query: fill(query) }), [], `${table}: ${state}`);
    tables.push(await selectRows(client, { query: fill(SAME_ROWS) }, 'JSONCompactEachRow'));
  }
  assert.deepEqual(tables[0], tables[1], state);
}

type Random = () => number;
const STATIONS = ['XAAA', 'XAAB'];
/** The turn of a year, in which types are inferred and hours are not cut; and two hours of another day. */
const START = Date.UTC(2023, 11, 31, 22) / 1000;
const MINUTES = [0, 5, 20, 50, 51, 52, 59];

/** Reports of a source: METARs and SPECIs with and without their keyword, corrections, NILs, two texts of one minute. */
function randomRows(random: Random) {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    const filedAt = START + Math.floor(random() * 5) * 3600 + pick(MINUTES) * 60;
    const at = new Date(filedAt * 1000).toISOString();
    const time = `${at.slice(8, 10)}${at.slice(11, 13)}${at.slice(14, 16)}Z`;
    const station = pick(STATIONS);
    const keyword = pick(['', '', 'METAR ', 'SPECI ']);
    const body = pick([
      'COR 18004KT',
      'CCA 18004KT',
      'CCB 18004KT',
      'NIL',
      '18004KT',
      '18005KT',
      '18006KT 9999',
    ]);
    const text = body === 'NIL' ? `${station} ${time} NIL` : `${station} ${time} ${body} 12/07 Q1013`;
    return { station, filedAt, text: `${keyword}${text}` };
  });
}

function contextOf(client: Archive, source: Source) {
  const writer = new Writer(client, newRun());
  return {
    archive: client,
    source,
    writer,
    minutes: new MinuteHistogram(),
    listedStations: new Set<string>(),
  };
}

const SILENT: StepProgress = () => () => {};
const INTERRUPTION = { afterSlice: NO_LIMIT, now: NO_LIMIT };
const YEARS = { from: Date.UTC(2023, 0) / 1000, to: Date.UTC(2025, 0) / 1000, stations: [] };

/** What changes an archive; each may come at any time, in any order. */
const STEPS: Readonly<Record<string, (client: Archive, random: Random) => Promise<unknown>>> = {
  'a load of stations': (client, random) => load(client, random, 'few stations'),
  'a load of all stations': (client, random) => load(client, random, 'all stations'),
  'types of a year': async (client) => {
    for (const year of [2023, 2024]) await reclassifyYear(contextOf(client, 'iem'), year, NO_LIMIT);
  },
  'two loads at the same time': async (client, random) => {
    const begin = (source: Source) => {
      const reports = normalize({ rows: randomRows(random), skipped: {} });
      const [context, range] = [contextOf(client, source), writtenRange(reports, 'few stations')];
      const send = () => reconcileAndWrite(context, reports, { scope: 'few stations' });
      return { context, send, write: <T>(work: () => Promise<T>) => context.writer.write(range, work) };
    };
    const [one, other] = [begin('iem'), begin('ogimet')];
    // Both read before either has written.
    const both = await one.write(() => other.write(() => Promise.all([one.send(), other.send()])));
    for (const { stored } of both) await stored;
    await finishReports(one.context, both[0]);
    await finishReports(other.context, both[1]);
  },
  'a newer decoder': async (client, random) => {
    // Rows of an older decoder, which read no correction and no NIL.
    const rows = normalize({ rows: randomRows(random), skipped: {} }).reports;
    await insertRevisions(
      client,
      rows.map(({ station, observedAt, raw, fingerprint }) => {
        const about = { station, raw, fingerprint, at: new Date(observedAt * 1000).toISOString() };
        return put(
          report({ ...about, decoder: DECODER_VERSION - 1, decoded: { cavok: false }, source: 'ncei' }),
        );
      }),
      newMarks(client),
    );
    await STEPS['a load of stations']?.(client, random);
    await redecode({ ...contextOf(client, 'iem'), progress: SILENT, stop: INTERRUPTION }, YEARS);
  },
  'a load of reports that another has written under other types before it was killed': async (
    client,
    random,
  ) => {
    const [begun, rows] = [await begunLoad(client, random), randomRows(random)];
    await loadRows(contextOf(killedBetweenInserts(client), 'iem'), rows).catch((error: Error) =>
      assert.equal(error.message, 'killed'),
    );
    await loadRows(begun, underOtherTypes(rows));
  },
  'a restore, and between its inserts a load of its reports under other types': async (client, random) => {
    const [begun, rows, folder] = [await begunLoad(client, random), randomRows(random), newFolder()];
    const source = await emptyArchive();
    await loadRows(contextOf(source.client, 'iem'), rows);
    await exportTo(source.client, folder);
    await source.close();
    const archive = betweenInserts(client, () => loadRows(begun, underOtherTypes(rows)));
    await importSnapshot(
      { archive, progress: SILENT, stop: INTERRUPTION },
      await openSnapshot(folder, NO_LIMIT),
    );
  },
  'the removal of the demo': (client) => removeSource(client, 'demo'),
  'a load that is killed between its two inserts, and its repetition': async (client, random) => {
    const rows = randomRows(random);
    const load = (archive: Archive) => {
      const scope = random() < 0.5 ? 'few stations' : 'all stations';
      return loadReports(contextOf(archive, 'iem'), normalize({ rows, skipped: {} }), { scope });
    };
    // Nothing is written where the archive has all of them.
    await load(killedBetweenInserts(client)).catch((error: Error) => assert.equal(error.message, 'killed'));
    await load(client);
  },
  merges: async (client) => {
    for (const table of REPORT_TABLES) await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  },
};

/** An archive that does something once, when one table of reports has the rows, and the other does not. */
function betweenInserts(client: Archive, work: () => Promise<unknown>): Archive {
  let isDone = false;
  return {
    ...client,
    async insert(insert, signal) {
      if (insert.table !== 'station_observations' || isDone) return client.insert(insert, signal);
      // Its rows end once the other table has them.
      const chunks: unknown[] = [];
      for await (const chunk of insert.rows) chunks.push(chunk);
      isDone = true;
      await work();
      return client.insert({ ...insert, rows: Readable.from(chunks) }, signal);
    },
    async insertFile(statement, ...args) {
      if (!isDone && statement.query.includes('INTO station_observations')) {
        isDone = true;
        await work();
      }
      return client.insertFile(statement, ...args);
    },
  };
}

function killedBetweenInserts(client: Archive): Archive {
  return betweenInserts(client, () => Promise.reject(new Error('killed')));
}

type LoadContext = ReturnType<typeof contextOf>;

function loadRows(
  context: LoadContext,
  rows: ReturnType<typeof randomRows>,
  scope: WriteScope = 'few stations',
) {
  return loadReports(context, normalize({ rows, skipped: {} }), { scope });
}

/** A loader that has already written, so that it does not look for what others have left before it began. */
async function begunLoad(client: Archive, random: Random): Promise<LoadContext> {
  const context = contextOf(client, 'ogimet');
  await loadRows(context, randomRows(random));
  return context;
}

function underOtherTypes(rows: ReturnType<typeof randomRows>) {
  return rows.map((row) => {
    const other = row.text.startsWith('SPECI ') ? 'METAR' : 'SPECI';
    return { ...row, text: `${other} ${row.text.replace(/^(METAR|SPECI) /, '')}` };
  });
}

async function load(client: Archive, random: Random, scope: WriteScope): Promise<void> {
  const source = (['iem', 'ogimet', 'ncei', 'demo'] as const)[Math.floor(random() * 4)] as Source;
  await loadReports(contextOf(client, source), normalize({ rows: randomRows(random), skipped: {} }), {
    scope,
  });
}

describe('for what reports count (D45, D52)', () => {
  const archive = useArchive('each');

  for (let seed = 1; seed <= repetitions({ usual: 1, long: 100 }); seed += 1)
    it(`follows from all reports of the archive, whatever has changed it (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const done: string[] = [];
      for (const step of shuffled(Object.keys(STEPS), random)) {
        done.push(step);
        await STEPS[step]?.(archive.client, random);
        await assertChosen(archive.client, done.join(', '));
      }
    });
});

describe('two loaders that choose what counts at the same time', () => {
  const archive = useArchive('each');
  const counted = (at: string, counts: Counts): Revision => {
    return { kind: 'put', report: report({ at }), version: versionAbove(1), counts };
  };
  const marks = () => newMarks(archive.client);
  const [earliest, earlier, later] = ['2024-01-01T01:55:00Z', '2024-01-01T01:59:00Z', '2024-01-01T02:00:00Z'];

  for (const station of ['XAAA', ALL_STATIONS]) {
    const window = { station, from: START, to: START + 86_400 };

    it(`leave an hour to its first METAR (station ${station})`, async () => {
      // The hour was that of an earlier METAR, which one loader found to be a SPECI while the other inserted the first one.
      await insertRevisions(archive.client, [counted(earlier, 'minute'), counted(later, 'hour')], marks());
      await reclassifyConflicts(contextOf(archive.client, 'iem'), [window]);
      await assertChosen(archive.client, 'chosen again');
    });

    it(`look again, because another loader may insert while they choose (station ${station})`, async () => {
      await insertRevisions(archive.client, [counted(earlier, 'hour'), counted(later, 'hour')], marks());
      let isFirst = true;
      const meanwhile: Archive = {
        ...archive.client,
        async insert(rows, signal) {
          if (isFirst) {
            isFirst = false;
            await insertRevisions(archive.client, [counted(earliest, 'hour')], marks());
          }
          await archive.client.insert(rows, signal);
        },
      };
      await reclassifyConflicts(contextOf(meanwhile, 'iem'), [window]);
      await assertChosen(archive.client, 'chosen again');
    });
  }

  it('look where another has written meanwhile, even if it has ended, and nowhere else', async () => {
    let looks = 0;
    const watched: Archive = {
      ...archive.client,
      select(select, signal) {
        if (select.query.includes('uniqExact')) looks += 1;
        return archive.client.select(select, signal);
      },
    };
    const rows = randomRows(seededRandom(1));
    await loadRows(contextOf(watched, 'iem'), rows);
    assert.equal(looks, 0);
    const meanwhile = betweenInserts(watched, async () => {
      const other = contextOf(archive.client, 'ogimet');
      await loadRows(other, underOtherTypes(rows));
      await other.writer.close();
    });
    await loadRows(contextOf(meanwhile, 'ncei'), randomRows(seededRandom(2)));
    assert.ok(looks > 0);
    await assertChosen(archive.client, 'looked for');
  });
});

describe('the write of a program that is killed between the two inserts of a report', () => {
  const archive = useArchive('each');
  const insertFromIem = (reports: readonly Report[]) =>
    insertRevisions(
      archive.client,
      reports.map(
        (about): Revision => ({ kind: 'put', report: about, version: versionAbove(2), counts: 'hour' }),
      ),
      newMarks(archive.client),
    );
  /** @param isNext a loader of another station comes in place of the repetition */
  const killsAndRepeats = async (run: (client: Archive) => Promise<unknown>, isNext: boolean) => {
    await assert.rejects(run(killedBetweenInserts(archive.client)), new Error('killed'));
    if (isNext)
      await loadReports(
        contextOf(archive.client, 'iem'),
        normalize({ rows: [{ station: 'XAAB', filedAt: START, text: 'XAAB 312200Z 18004KT' }], skipped: {} }),
        { scope: 'few stations' },
      );
    else await run(archive.client);
    await assertChosen(archive.client, 'repeated');
  };

  it('is found by the next loader: a report under both types, whose conflict no loader has looked for', async () => {
    const window = { from: START, to: START + 86_400 };
    const columns = '(run, `from`, `to`, isOpen, at)';
    const old = `INSERT INTO writers ${columns} VALUES ('killed', ${window.from}, ${window.to}, true, now() - 7200)`;
    for (const type of ['METAR', 'SPECI'] as const)
      await insertFromIem([report({ at: '2024-01-01T01:55:00Z', type, decoder: DECODER_VERSION })]);
    await archive.client.command({ query: old });
    // The next loader cannot look for conflicts; the one after it does.
    const failing: Archive = {
      ...archive.client,
      select: (select, signal) =>
        select.query.includes('uniqExact')
          ? Promise.reject(new Error('down'))
          : archive.client.select(select, signal),
    };
    const rows = [{ station: 'XAAB', filedAt: START, text: 'XAAB 312200Z 18004KT' }];
    await assert.rejects(loadRows(contextOf(failing, 'iem'), rows), /down/);
    await loadRows(contextOf(archive.client, 'iem'), rows);
    await assertChosen(archive.client, 'found');
    const query = "SELECT isOpen FROM writers FINAL WHERE run = 'killed'";
    assert.deepEqual(await selectRows(archive.client, { query }), [{ isOpen: false }]);
  });

  it('stays in writers, from which a run that ended in good order is removed after a month', async () => {
    const query = `INSERT INTO writers (run, \`from\`, \`to\`, isOpen, at) VALUES
      ('ended', 0, 1, false, now() - INTERVAL 31 DAY), ('killed', 0, 1, true, now() - INTERVAL 31 DAY)`;
    await archive.client.command({ query });
    await archive.client.command({ query: 'OPTIMIZE TABLE writers FINAL' });
    const left = "SELECT run FROM writers WHERE run IN ('ended', 'killed')";
    assert.deepEqual(await selectRows(archive.client, { query: left }), [{ run: 'killed' }]);
  });

  for (const isNext of [false, true]) {
    const end = isNext ? 'is completed by the next loader' : 'is complete when it is repeated';

    it(`${end}: the types of a year`, async () => {
      // The report at minute 10 is no routine one, as the others show.
      const times = Array.from(
        { length: 11 },
        (_, hour) => `2024-03-01T${String(hour).padStart(2, '0')}:50:00Z`,
      );
      times.push('2024-03-01T12:10:00Z');
      await insertFromIem(times.map((at) => report({ at, decoder: DECODER_VERSION })));
      await killsAndRepeats((client) => reclassifyYear(contextOf(client, 'iem'), 2024, NO_LIMIT), isNext);
    });

    it(`${end}: decoded fields`, async () => {
      await insertFromIem([report({ at: '2024-03-01T12:10:00Z', decoder: DECODER_VERSION - 1 })]);
      await killsAndRepeats((client) => {
        const task = { ...contextOf(client, 'iem'), progress: SILENT, stop: INTERRUPTION };
        return redecode(task, YEARS);
      }, isNext);
    });
  }
});
