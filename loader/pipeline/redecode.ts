import type { Archive } from '../../clickhouse/archive.ts';
import { countReports, groupBy, groupStations } from '../../clickhouse/group-by.ts';
import type { PartialDecoded } from '../../clickhouse/model/fields.ts';
import {
  type Counts,
  contentHash,
  type Position,
  versionAbove,
  versionDecoded,
} from '../../clickhouse/model/report.ts';
import { clipToYear, toNominalHours } from '../../clickhouse/model/time-window.ts';
import { isOneOf } from '../../clickhouse/observations/hidden-reports.ts';
import { insertRevisions, type Revision } from '../../clickhouse/observations/insert.ts';
import {
  countOutdatedDecodes,
  deleteSourceIfUnlisted,
  type OutdatedReport,
  readOutdatedDecodes,
  readOutdatedYears,
} from '../../clickhouse/observations/maintenance.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import type { ReportSelection } from '../../clickhouse/statements/current-reports.ts';
import { DECODER_VERSION, decodeAll } from '../decode.ts';
import { retryStorage } from '../http/retry-policy.ts';
import type { Interruption } from '../interruption.ts';
import type { StepProgress } from '../progress/load-progress.ts';
import { rankOfText } from '../sources/registry.ts';
import { choose, correctionOf } from './choose.ts';
import { type ReportContext, reclassifyConflicts } from './reclassify.ts';
import { decodeReport } from './reconcile.ts';
import { runPool } from './workers.ts';
import type { WriteContext } from './write.ts';

export type Decoder = {
  readonly version: number;
  readonly decode: (raw: string) => {
    readonly fields: PartialDecoded;
    readonly unexplained: readonly string[];
  };
};

export type ReportTask = {
  readonly archive: Archive;
  readonly progress: StepProgress;
  readonly stop: Interruption;
};

const DECODER: Decoder = { version: DECODER_VERSION, decode: decodeAll };

/** Reports of one insert: below one block, and in one partition. */
const MAX_BATCH_REPORTS = 50_000;
const MAX_BATCH_STATIONS = 500;
/** ClickHouse stores one batch while the other is decoded. */
const PARALLEL_BATCHES = 2;

/**
 * Decodes again every report last decoded by an older decoder, and inserts the result as a higher version. The rows
 * themselves show what is done, so an interrupted run resumes where it stopped. A loader may insert at the same time
 * (see `versionDecoded`), and the demo reports may be deleted (see `redecodeBatch`).
 *
 * @returns also how many reports are left that an older decoder has decoded last
 */
export async function redecode(
  {
    archive,
    writer,
    progress,
    stop: { afterSlice: stop, now: signal },
  }: ReportTask & Pick<WriteContext, 'writer'>,
  selection: ReportSelection,
  decoder = DECODER,
): Promise<{ readonly decoded: number; readonly left: number }> {
  const plan = () => retryStorage(() => planBatches(archive, selection, decoder.version), signal);
  const batches = await plan();
  const advance = progress(countReports(batches));
  let decoded = 0;
  await runPool(batches, PARALLEL_BATCHES, stop, async (batch) => {
    const range = { stations: batch.stations, ...toNominalHours(batch) };
    const decodeBatch = () => redecodeBatch({ archive, writer }, batch, decoder);
    const reports = await retryStorage(() => writer.write(range, decodeBatch), signal);
    decoded += reports;
    advance(decoded);
  });
  const left = stop.aborted ? countReports(batches) - decoded : countReports(await plan());
  return { decoded, left };
}

type Batch = ReportSelection & { readonly reports: number };

/** A batch lies within a calendar year. */
async function planBatches(
  archive: Archive,
  selection: ReportSelection,
  decoderVersion: number,
): Promise<readonly Batch[]> {
  const batches: Batch[] = [];
  for (const year of await readOutdatedYears(archive, decoderVersion, selection)) {
    const range = clipToYear(selection, year);
    const counts = await countOutdatedDecodes(archive, decoderVersion, { ...selection, ...range });
    // In the order of `station_observations`, so that a batch reads neighboring rows.
    for (const group of groupStations(counts, MAX_BATCH_REPORTS, MAX_BATCH_STATIONS))
      batches.push({ ...range, stations: group.map(({ station }) => station), reports: countReports(group) });
  }
  return batches;
}

async function redecodeBatch(context: ReportContext, batch: Batch, decoder: Decoder): Promise<number> {
  const { archive } = context;
  let decoded = 0;
  let hasDemoReports = false;
  const changed: Redecoded[] = [];
  async function* revisions(): AsyncGenerator<readonly Revision[]> {
    for await (const group of readOutdatedDecodes(archive, decoder.version, batch)) {
      decoded += group.length;
      hasDemoReports ||= group.some(({ source }) => source === 'demo');
      const redecoded = group.map((report) => decodeAgain(report, decoder));
      changed.push(...redecoded.filter(({ decidesOtherwise }) => decidesOtherwise));
      yield redecoded.filter(({ decidesOtherwise }) => !decidesOtherwise).map(({ revision }) => revision);
    }
  }
  await insertRevisions(archive, revisions(), context.writer.marks);
  for (const [station, some] of groupBy(changed, ({ revision }) => revision.report.station))
    await writeChanged(context, station, some, decoder);
  // `remove-demo` may have deleted them between the read and the insert.
  if (hasDemoReports) await deleteSourceIfUnlisted(archive, 'demo');
  return decoded;
}

function decodeAgain({ version, counts, correction, nil, ...stored }: OutdatedReport, decoder: Decoder) {
  const { fields, unexplained } = decoder.decode(stored.raw);
  const read = { clean: unexplained.length === 0, decoder: decoder.version, decoded: fields };
  const newVersion = versionDecoded(decoder.version, { version });
  return {
    revision: { kind: 'put', report: { ...stored, ...read }, version: newVersion, counts } as const,
    /** The new decoder reads a correction or NIL otherwise, so another report may count. */
    decidesOtherwise: correctionOf(fields) !== correction || (fields.nil ?? false) !== nil,
  };
}

type Redecoded = ReturnType<typeof decodeAgain>;

/**
 * Writes reports of a station whose correction or NIL the new decoder reads otherwise, and their neighbors that now
 * count for something else, in one insert: until it is stored, they are still to be decoded again.
 */
async function writeChanged(
  context: ReportContext,
  station: string,
  changed: readonly Redecoded[],
  decoder: Decoder,
): Promise<void> {
  const { archive } = context;
  const times = changed.map(({ revision }) => revision.report.observedAt);
  const window = { station, from: Math.min(...times), to: Math.max(...times) + 1 };
  const redecoded = new Map(changed.map(({ revision }) => [keyOf(revision.report), revision]));
  const candidates = (await readStoredReports(archive, window)).map((row) => {
    const own = redecoded.get(keyOf(row));
    const nil = own === undefined ? row.nil : (own.report.decoded.nil ?? false);
    const isHidden = isOneOf(context.writer.hidden, row);
    return { best: { ...row, nil }, row, source: row.source, isHidden };
  });
  const types = candidates.map(({ row }) => row.type);
  const chosen = choose(candidates, types, ({ row }) => correctionOf(decoder.decode(row.raw).fields));
  const revisions = candidates.flatMap(({ row }, n): readonly Revision[] => {
    const own = redecoded.get(keyOf(row));
    const counts = chosen[n] as Counts;
    if (own !== undefined) return [{ ...own, counts }];
    if (row.counts === counts) return [];
    const hash = contentHash({ ...row, counts });
    const version = versionAbove(rankOfText(row.source, row.raw), row, hash);
    return [{ kind: 'put', report: decodeReport(row, row.source, row.type), version, counts }];
  });
  await insertRevisions(archive, revisions, context.writer.marks);
  await reclassifyConflicts(context, [window]);
}

function keyOf({ observedAt, type, fingerprint }: Position): string {
  return `${observedAt} ${type} ${fingerprint}`;
}
