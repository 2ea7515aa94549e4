import type { Archive } from '../../clickhouse/archive.ts';
import { countReports, groupBy, groupStations } from '../../clickhouse/group-by.ts';
import type { PartialDecoded } from '../../clickhouse/model/fields.ts';
import { type Position, versionDecoded } from '../../clickhouse/model/report.ts';
import { clipToYear, toCalendarYears, toNominalHours } from '../../clickhouse/model/time-window.ts';
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
import { correctionOf } from './choose.ts';
import { type ReportContext, reclassifyConflicts } from './reclassify.ts';
import { chooseAmong } from './reconcile.ts';
import { runPool } from './workers.ts';
import { spanOf, type WriteContext } from './write.ts';

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
  { archive, writer, progress, stop }: ReportTask & Pick<WriteContext, 'writer'>,
  selection: ReportSelection,
  decoder = DECODER,
): Promise<{ readonly decoded: number; readonly left: number }> {
  const plan = () => retryStorage(() => planBatches(archive, selection, decoder.version), stop.now);
  const batches = await plan();
  const advance = progress(countReports(batches));
  let decoded = 0;
  await runPool(batches, PARALLEL_BATCHES, stop.afterSlice, async (batch) => {
    const range = { stations: batch.stations, ...toNominalHours(batch) };
    const decodeBatch = () => redecodeBatch({ archive, writer }, batch, decoder);
    const reports = await retryStorage(() => writer.write(range, decodeBatch), stop.now);
    decoded += reports;
    advance(decoded);
  });
  const left = stop.afterSlice.aborted ? countReports(batches) - decoded : countReports(await plan());
  return { decoded, left };
}

type Batch = ReportSelection & { readonly reports: number };

/** A batch lies within a calendar year. */
async function planBatches(archive: Archive, selection: ReportSelection, decoderVersion: number) {
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
      const unchanged: Redecoded[] = [];
      for (const report of group) {
        const { revision, decidesOtherwise } = decodeAgain(report, decoder);
        (decidesOtherwise ? changed : unchanged).push(revision);
      }
      yield unchanged;
    }
  }
  await insertRevisions(archive, revisions(), context.writer.marks);
  for (const [station, some] of groupBy(changed, ({ report }) => report.station))
    await writeChanged(context, station, some);
  // `remove-demo` may have deleted them between the read and the insert.
  if (hasDemoReports) await deleteSourceIfUnlisted(archive, 'demo');
  return decoded;
}

/** @returns `decidesOtherwise`: the new decoder reads another correction or NIL, so another report may count now */
function decodeAgain({ version, counts, correction, nil, ...stored }: OutdatedReport, decoder: Decoder) {
  const { fields, unexplained } = decoder.decode(stored.raw);
  const read = { clean: unexplained.length === 0, decoder: decoder.version, decoded: fields };
  const newVersion = versionDecoded(decoder.version, { version });
  return {
    revision: { kind: 'put', report: { ...stored, ...read }, version: newVersion, counts } as const,
    decidesOtherwise: correctionOf(fields) !== correction || (fields.nil ?? false) !== nil,
  };
}

type Redecoded = ReturnType<typeof decodeAgain>['revision'];

/**
 * Writes reports of a station for which the new decoder reads another correction or NIL, and all reports around them that now
 * count for something else. It is one insert: until that is stored, the reports still count as outdated.
 */
async function writeChanged(context: ReportContext, station: string, changed: readonly Redecoded[]) {
  const { archive, writer } = context;
  const years = { station, ...toCalendarYears(spanOf(changed.map(({ report }) => report))) };
  const stored = await readStoredReports(archive, years);
  const redecoded = new Map(changed.map((revision) => [keyOf(revision.report), revision]));
  const chosen = Array.from(chooseAmong(stored, years, writer.hidden), (revision): Revision => {
    if (revision.kind === 'retract') return revision;
    const { report, counts } = revision;
    // Keeps the version for decoding again, so that a better text that a loader writes meanwhile has a higher version.
    const own = redecoded.get(keyOf(report));
    redecoded.delete(keyOf(report));
    return own === undefined ? revision : { ...own, counts };
  });
  await insertRevisions(archive, [...redecoded.values(), ...chosen], writer.marks);
  await reclassifyConflicts(context, [years]);
}

function keyOf({ observedAt, type, fingerprint }: Position): string {
  return `${observedAt} ${type} ${fingerprint}`;
}
