import { type DaysOfSource, sampleSlices } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import type { Report, Source } from '../../clickhouse/model/report.ts';
import { isWithin, type Scope, type TimeWindow, windowOfDays } from '../../clickhouse/model/time-window.ts';
import { completeTables } from '../../clickhouse/observations/copy-rows.ts';
import { type HiddenReport, idOf, readHiddenReports } from '../../clickhouse/observations/hidden-reports.ts';
import { findRepeatedReports } from '../../clickhouse/observations/maintenance.ts';
import { readStoredReports, type StoredReport } from '../../clickhouse/observations/stored-reports.ts';
import { once } from '../../clickhouse/program-arguments.ts';
import { OPTIONS, parseSample, STATION_WORDS, scopeOf, stationsOf } from '../args/options.ts';
import { SYSTEM_TIMER } from '../http/retry-policy.ts';
import { fetchReports, type LoadContext, sourceContext, startRun } from '../pipeline/load-slice.ts';
import type { NormalizedReport } from '../pipeline/normalize.ts';
import { reconcile, type TypePolicy } from '../pipeline/reconcile.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import { batchesOf, type ReportBatch } from '../pipeline/write.ts';
import { fetchStationMetadata } from '../plan/slices.ts';
import { isSourceName, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import { fetchMessages, plural, repeatedText } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export type VerifyCommand = {
  readonly kind: 'verify';
  readonly sample: number;
  readonly sources: readonly SourceName[];
  readonly scope: Scope;
  readonly intervalSeconds: number | undefined;
};

export function declareVerify({ add, accept }: LoaderProgram): void {
  add('verify [STATION...]', 'requests a sample of the done slices again and compares every report')
    .argument(...STATION_WORDS)
    .addOption(OPTIONS.from)
    .addOption(OPTIONS.to)
    .addOption(OPTIONS.source)
    .addOption(OPTIONS.interval)
    .option('--sample <n>', 'number of slices to compare (10)', once(parseSample))
    .action((words, options) => {
      const { sample = 10, source: sources = SOURCE_NAMES, interval: intervalSeconds } = options;
      const scope = scopeOf(stationsOf(words), options);
      const asked = { sample, sources, scope, intervalSeconds };
      accept({ kind: 'verify', ...asked }, verifyCommand, { needsTime: true });
    });
}

/** An operator is waiting, so unlike a load, this command does not wait longer for a source that fails. */
const PATIENCE_SECONDS = 60;

/**
 * Requests a sample of the done slices again, from all sources at the same time, and prints what a load of them would change. It
 * writes no report, but it copies rows that only one of the two tables of reports has. It names stations with a report under both
 * types.
 *
 * @returns whether reports were compared, all are equal, and none is there twice
 */
export async function verifyCommand(
  { archive, config, stop, output }: CommandContext,
  { sample, sources, scope, intervalSeconds }: VerifyCommand,
  timer = SYSTEM_TIMER,
): Promise<boolean> {
  const total = { slices: 0, notEqual: 0, reports: 0, differences: 0 };
  const run = startRun(archive);
  const range = { stations: scope.stations, ...windowOfDays(scope) };
  const pace = { intervalSeconds, timer, patienceSeconds: PATIENCE_SECONDS };
  const options = { ...config, ...pace, signal: stop.now, events: fetchMessages(output.log) };
  const verifySource = async (source: SourceName, slices: readonly DaysOfSource[]) => {
    const context = sourceContext(run, source, options);
    const { adapter } = context;
    // Some sources need their list of stations before any other request.
    const stations = adapter.stationList ? slices.map(({ station }) => station) : [];
    const failed = await fetchStationMetadata(context, stations);
    for (const slice of slices) {
      if (stop.afterSlice.aborted) return;
      const verified =
        failed === undefined ? await verifySlice(context, slice) : { failed, reports: 0, differences: [] };
      for (const line of formatComparison(slice, verified)) output.print(line);
      total.slices += 1;
      total.reports += verified.reports;
      total.differences += verified.differences.length;
      if (verified.failed !== undefined || verified.differences.length > 0) total.notEqual += 1;
    }
  };
  const copied = await completeTables(archive, windowOfDays(scope));
  for (const [table, rows] of copied)
    output.print(`${plural(rows, 'row')} missing from ${table}, and copied from the other table of reports`);
  let repeated = 0;
  for await (const found of findRepeatedReports(archive, range)) {
    output.print(repeatedText(found));
    repeated += found.reports;
  }
  const slices = await sampleSlices(archive, { sample, sources, ...scope });
  await Promise.all(
    [...groupBy(slices, ({ source }) => source)].map(([source, some]) =>
      isSourceName(source) ? verifySource(source, some) : [],
    ),
  );
  output.print(
    slices.length === 0
      ? 'No days are done in this range; nothing to verify.'
      : `${plural(total.slices, 'slice')}, ${plural(total.reports, 'report')} compared: ${plural(total.differences, 'difference')}, ${plural(total.notEqual, 'slice')} not equal`,
  );
  return total.slices > 0 && total.notEqual === 0 && copied.size === 0 && repeated === 0;
}

const MAX_DIFFERENCES = 20;

function formatComparison(
  { source, station, firstDay, endDay }: DaysOfSource,
  { failed, reports, differences }: SampleComparison,
): readonly string[] {
  const name = `${source} ${station === ALL_STATIONS ? 'all' : station} ${firstDay} to ${endDay}`;
  if (failed !== undefined) return [`${name}: not compared: ${failed}`];
  if (differences.length === 0) return [`${name}: ${plural(reports, 'report')}, all equal`];
  const kinds = [...groupBy(differences, ({ kind }) => kind)].map(([kind, some]) => `${some.length} ${kind}`);
  const more = differences.length - MAX_DIFFERENCES;
  return [
    `${name}: ${reports} reports, ${kinds.join(', ')}`,
    ...differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ kind, observedAt, raw }) => `  ${kind}: ${new Date(observedAt * 1000).toISOString()} ${raw}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Types of a day of all stations are final only after the year is reclassified, so any type counts as right here. */
const ANY_TYPE = new MinuteHistogram().inference();

type SampleComparison = Awaited<ReturnType<typeof verifySlice>>;

/** @returns `failed`: why the source did not send the slice */
async function verifySlice(context: LoadContext, slice: DaysOfSource) {
  const fetched = await fetchReports(context, slice);
  if (fetched.kind === 'failed') return { failed: fetched.reason, reports: 0, differences: [] };
  const sent = fetched.reports.reports;
  const window = windowOfDays(slice);
  const isAllStations = slice.station === ALL_STATIONS;
  const batches = batchesOf(sent, isAllStations ? 'all stations' : 'few stations');
  const empty: ReportBatch = { reports: [], window: { station: slice.station, ...window } };
  const hidden = await readHiddenReports(context.archive);
  let reports = 0;
  const differences: Difference[] = [];
  for (const batch of batches.length === 0 ? [empty] : batches) {
    const stored = await readStoredReports(context.archive, batch.window);
    const typePolicy = isAllStations ? ANY_TYPE : batch.window;
    const compared = compare(slice.source, { fetched: batch.reports, stored, typePolicy, window, hidden });
    reports += compared.reports;
    differences.push(...compared.differences);
  }
  return { reports, differences };
}

type Difference = Pick<StoredReport, 'observedAt' | 'raw'> & {
  /**
   * What a load would do: `missing`, add the report; `other text` or `other type`, replace its row; `other choice`, count it
   * for something else. `extra`: only the archive has it.
   */
  readonly kind: 'missing' | 'extra' | 'other text' | 'other type' | 'other choice';
};

type ReportsToCompare = {
  readonly fetched: readonly NormalizedReport[];
  readonly stored: readonly StoredReport[];
  readonly typePolicy: TypePolicy;
  readonly window: TimeWindow;
  readonly hidden?: readonly HiddenReport[];
};

/** Reports near the edge of a slice may have come with the slice before or after it. */
const EDGE_SECONDS = 3600;

/** The changes that a load of these reports would make, and the reports of this source that it does not send. */
export function compare(source: Source, { fetched, stored, typePolicy, window, hidden }: ReportsToCompare) {
  const storedById = new Map(stored.map((row) => [idOf(row), row]));
  const { revisions, reports } = reconcile(source, fetched, stored, typePolicy, hidden);
  const differences: Difference[] = [];
  for (const revision of revisions) {
    if (revision.kind === 'retract') continue;
    const { observedAt, raw } = revision.report;
    const kind = differenceOf(storedById.get(idOf(revision.report)), revision.report);
    differences.push({ kind, observedAt, raw });
  }
  const inside = { from: window.from + EDGE_SECONDS, to: window.to - EDGE_SECONDS };
  const fetchedIds = new Set(fetched.map(idOf));
  for (const row of stored) {
    const { observedAt, raw } = row;
    if (row.source === source && isWithin(observedAt, inside) && !fetchedIds.has(idOf(row)))
      differences.push({ kind: 'extra', observedAt, raw });
  }
  return { reports, differences };
}

function differenceOf(stored: StoredReport | undefined, report: Report): Difference['kind'] {
  if (stored === undefined) return 'missing';
  if (stored.source !== report.source || stored.raw !== report.raw) return 'other text';
  return stored.type === report.type ? 'other choice' : 'other type';
}
