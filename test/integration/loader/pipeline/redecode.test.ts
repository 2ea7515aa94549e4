import assert from 'node:assert/strict';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { newRun } from '../../../../clickhouse/coverage/ledger/ledger.ts';
import { readReportCounts } from '../../../../clickhouse/coverage/report-counts.ts';
import type { Day } from '../../../../clickhouse/model/day.ts';
import { fingerprint } from '../../../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES, windowOfDays, yearWindow } from '../../../../clickhouse/model/time-window.ts';
import { deleteSource } from '../../../../clickhouse/observations/maintenance.ts';
import { hasLoaders } from '../../../../clickhouse/observations/writers.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { DECODER_VERSION, decode } from '../../../../loader/decode.ts';
import type { NormalizedReport } from '../../../../loader/pipeline/normalize.ts';
import { reconcile } from '../../../../loader/pipeline/reconcile.ts';
import { type Decoder, redecode } from '../../../../loader/pipeline/redecode.ts';
import { Writer } from '../../../../loader/pipeline/writer.ts';
import type { StepProgress } from '../../../../loader/progress/load-progress.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import {
  insert,
  NO_LIMIT,
  put,
  readAllReports,
  report,
  useArchive,
} from '../../../support/archive/archive.ts';
import { readCoverageNow } from '../../../support/archive/records.ts';
import { loadWith, runLoader } from '../../../support/loader/run-load.ts';

const NO_PROGRESS: StepProgress = () => () => {};

/** A decoder of another version. `wdir` holds its version, to tell whose fields are stored. */
const decoderOf = (version: number): Decoder => ({
  version,
  decode: (raw) => ({ fields: { ...decode(raw).fields, wdir: version }, unexplained: [] }),
});

describe('redecode', () => {
  const archive = useArchive('each');

  const scopeOf = (stations: readonly string[] = [], from = '2005-01-01', to = '2030-01-01') => ({
    stations,
    ...windowOfDays({ firstDay: from as Day, endDay: to as Day }),
  });
  const run = (
    decoder: Decoder,
    { scope = scopeOf(), by = archive.client, progress = NO_PROGRESS, stop = NO_LIMIT } = {},
  ) => {
    const task = { archive: by, writer: new Writer(archive.client, newRun()), progress };
    return redecode({ ...task, stop: { afterSlice: stop, now: NO_LIMIT } }, scope, decoder);
  };

  const archived = async (station: string) => {
    const rows = await readAllReports(archive.client, station);
    return rows.toSorted((a, b) => a.observedAt - b.observedAt || (a.type < b.type ? -1 : 1));
  };
  /** The reports without the columns of the decoder. */
  const texts = async (station: string) =>
    (await archived(station)).map(({ decoder, clean, version, ...rest }) => rest);
  const ask = <T>(query: string) => selectRows<T>(archive.client, { query });
  const merge = async () => {
    for (const table of REPORT_TABLES)
      await archive.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
  };

  it('replaces the decoded fields of every report and changes nothing else', async () => {
    const line = '--source demo --stations XAAA,XAAB --from 2023-12-30 --to 2024-01-04';
    await loadWith(archive.client, demo(), line);
    const range = scopeOf(['XAAA', 'XAAB'], '2023-12-30', '2024-01-04');
    const held = async () => ({
      texts: [await texts('XAAA'), await texts('XAAB')],
      coverage: await readCoverageNow(archive.client, range),
      ledger: await ask('SELECT * FROM slices ORDER BY ALL'),
      hours: await ask(
        'SELECT station, year, source, groupBitmapMerge(hours), min(firstReport), max(lastReport) FROM coverage GROUP BY ALL ORDER BY ALL',
      ),
    });
    const before = await held();
    const { decoded, left } = await run(decoderOf(DECODER_VERSION + 1));
    assert.deepEqual([decoded, left], [before.texts.flat().length, 0]);
    assert.deepEqual(await held(), before);
    assert.deepEqual(await ask('SELECT DISTINCT decoder, wdir, clean FROM observations FINAL'), [
      { decoder: DECODER_VERSION + 1, wdir: DECODER_VERSION + 1, clean: true },
    ]);
    await merge();
    assert.deepEqual(await held(), before);
    assert.deepEqual(await ask('SELECT DISTINCT decoder FROM observations'), [
      { decoder: DECODER_VERSION + 1 },
    ]);
  });

  it('repairs the coverage of reports that decoder 2 took for missing reports', async () => {
    const missing = { decoder: 2, decoded: { nil: true, cavok: false } } as const;
    for (const [hour, text] of [
      ['08', '33003KT 7000 NIL SCT018 23/21 Q1008'],
      ['09', '33003KT 7000 SCT018 23/21 Q1008 NIL'],
      ['10', 'NIL'],
    ]) {
      const raw = `METAR XAAA 10${hour}00Z ${text}`;
      await insert(archive.client, put(report({ ...missing, at: `2020-01-10T${hour}:00:00Z`, raw })));
    }
    const held = async () => ({
      hours: await ask(
        `SELECT bitmapToArray(groupBitmapMergeState(hours)) AS hours,
           formatDateTime(min(firstReport), '%dT%H') AS first, formatDateTime(max(lastReport), '%dT%H') AS last
         FROM coverage WHERE station = 'XAAA' GROUP BY station HAVING first IS NOT NULL`,
      ),
      counts: await readReportCounts(archive.client, { stations: ['XAAA'], ...yearWindow(2020) }),
    });
    assert.deepEqual(await held(), { hours: [], counts: [] });
    assert.deepEqual(await run({ version: DECODER_VERSION, decode }), { decoded: 3, left: 0 });
    assert.deepEqual(await held(), {
      hours: [{ hours: [9 * 24 + 8, 9 * 24 + 9], first: '10T08', last: '10T09' }],
      counts: [{ station: 'XAAA', source: 'iem', reports: 2 }],
    });
  });

  it('decodes only reports that an older decoder has decoded last', async () => {
    for (const decoder of [1, 2, 3])
      await insert(archive.client, put(report({ at: `2024-01-01T0${decoder}:00:00Z`, decoder })));
    assert.deepEqual(await run(decoderOf(2)), { decoded: 1, left: 0 });
    assert.deepEqual(
      (await archived('XAAA')).map(({ decoder }) => decoder),
      [2, 2, 3],
    );
    assert.deepEqual(await run(decoderOf(2)), { decoded: 0, left: 0 });
    assert.deepEqual(await run(decoderOf(3)), { decoded: 2, left: 0 });
  });

  it('decodes only the named stations and days', async () => {
    const days = ['2022-12-31', '2023-01-01', '2023-01-02'];
    for (const station of ['XAAA', 'XAAB'])
      for (const day of days) await insert(archive.client, put(report({ station, at: `${day}T00:00:00Z` })));
    const scope = scopeOf(['XAAB'], '2022-12-31', '2023-01-02');
    assert.deepEqual(await run(decoderOf(2), { scope }), { decoded: 2, left: 0 });
    assert.deepEqual(
      (await archived('XAAB')).map(({ decoder }) => decoder),
      [2, 2, 1],
    );
    assert.deepEqual(await run(decoderOf(2)), { decoded: 4, left: 0 });
  });

  it('resumes where it was stopped', async () => {
    const years = ['2019', '2020', '2021', '2022', '2023'];
    for (const year of years) await insert(archive.client, put(report({ at: `${year}-05-05T00:00:00Z` })));
    const interruption = new AbortController();
    const progress = () => () => interruption.abort();
    const first = await run(decoderOf(2), { progress, stop: interruption.signal });
    assert.ok(first.decoded >= 1 && first.left >= 1, JSON.stringify(first));
    assert.equal(first.decoded + first.left, years.length);
    assert.deepEqual(await run(decoderOf(2)), { decoded: first.left, left: 0 });
  });

  describe('while a loader inserts', () => {
    const OLD = 'XAAA 010000Z 18004KT CAVOK 12/07 Q1013 $';
    const fetched = (raw: string): NormalizedReport => ({
      station: 'XAAA',
      observedAt: Date.UTC(2024, 0, 1) / 1000,
      fingerprint: fingerprint(raw),
      raw,
      sentType: raw.startsWith('SPECI') ? 'SPECI' : undefined,
      nil: false,
    });
    /** The rows that a loader inserts for a better text, by the present archive. */
    const revisionsOf = async (source: 'iem' | 'ogimet', raw: string) => {
      const reconciled = reconcile(source, [fetched(raw)], await archived('XAAA'), ARCHIVE_TIMES);
      const revisions = [...reconciled.revisions];
      assert.ok(revisions.length > 0, 'the text is no better');
      return revisions;
    };
    /** A client that does something else between the read and the insert. */
    const interrupted = (meanwhile: () => Promise<void>): Archive => ({
      ...archive.client,
      async insert(rows, signal) {
        await meanwhile();
        await archive.client.insert(rows, signal);
      },
    });

    for (const [what, source, better] of [
      ['a longer text of the same source', 'iem', 'METAR XAAA 010000Z 18004KT CAVOK 12/07 Q1013 $'],
      ['the text of a more faithful source', 'ogimet', 'METAR XAAA 010000Z 18004KT CAVOK 12/07 Q1013'],
      ['another type', 'iem', 'SPECI XAAA 010000Z 18004KT CAVOK 12/07 Q1013 $'],
    ] as const) {
      const assertBetterIsKept = async () => {
        const held = async () =>
          (await archived('XAAA')).map(({ raw, source, type }) => ({ raw, source, type }));
        const wanted = [{ raw: better, source, type: better.startsWith('SPECI') ? 'SPECI' : 'METAR' }];
        assert.deepEqual(await held(), wanted);
        await run(decoderOf(DECODER_VERSION + 1));
        assert.deepEqual((await archived('XAAA'))[0]?.decoder, DECODER_VERSION + 1);
        await merge();
        assert.deepEqual(await held(), wanted);
      };

      it(`keeps ${what} that is inserted between its read and its insert`, async () => {
        await insert(archive.client, put(report({ at: '2024-01-01T00:00:00Z', raw: OLD })));
        const revisions = await revisionsOf(source, better);
        await run(decoderOf(DECODER_VERSION - 1), {
          by: interrupted(() => insert(archive.client, ...revisions)),
        });
        await assertBetterIsKept();
      });

      it(`keeps ${what} whose loader has read the archive before the redecode`, async () => {
        await insert(archive.client, put(report({ at: '2024-01-01T00:00:00Z', raw: OLD })));
        const revisions = await revisionsOf(source, better);
        await run(decoderOf(DECODER_VERSION - 1));
        await insert(archive.client, ...revisions);
        await assertBetterIsKept();
      });
    }

    it('inserts no demo report that is deleted between its read and its insert', async () => {
      await loadWith(
        archive.client,
        demo(),
        '--source demo --stations XAAA --from 2024-01-01 --to 2024-01-03',
      );
      await insert(archive.client, put(report({ station: 'KJFK', at: '2024-01-01T00:00:00Z' })));
      let isDeleted = false;
      const by = interrupted(async () => {
        if (!isDeleted) await deleteSource(archive.client, 'demo');
        isDeleted = true;
      });
      await run(decoderOf(2), { by });
      assert.deepEqual(
        (await archived('*')).map(({ station, source }) => `${source} ${station}`),
        ['iem KJFK'],
      );
      for (const table of ['stations', 'slices', 'coverage'])
        assert.deepEqual(await ask(`SELECT 1 FROM ${table} WHERE source = 'demo'`), [], table);
    });

    it('is a loader for removals, whose reports it would insert again', async () => {
      await insert(archive.client, put(report({ at: '2024-01-01T00:00:00Z', raw: OLD })));
      const seen = new Set<boolean>();
      const by = interrupted(async () => {
        seen.add(await hasLoaders(archive.client, yearWindow(2024), Date.now() / 1000 + 60));
      });
      await run(decoderOf(2), { by });
      assert.deepEqual([...seen], [true]);
    });

    it('keeps the fields of the newer decoder when two decoders run at the same time', async () => {
      await insert(archive.client, put(report({ at: '2024-01-01T00:00:00Z', raw: OLD })));
      const by = interrupted(async () => void (await run(decoderOf(3))));
      await run(decoderOf(2), { by });
      assert.deepEqual(await run(decoderOf(3)), { decoded: 0, left: 0 });
      assert.equal((await archived('XAAA'))[0]?.decoder, 3);
    });
  });

  it('is a command that says how many reports it has decoded', async () => {
    await insert(archive.client, put(report({ at: '2021-01-01T00:00:00Z', decoder: 0 })));
    for (const count of [1, 0]) {
      const { code, out } = await runLoader(archive, 'redecode');
      assert.equal(code, 0, out);
      assert.match(
        out,
        new RegExp(`^${count} reports? decoded again by decoder ${DECODER_VERSION}, 0 left$`, 'm'),
      );
    }
  });
});
