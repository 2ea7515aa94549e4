import { isAccessDenied } from '../../clickhouse/errors.ts';
import { type Scope, windowOfDays } from '../../clickhouse/model/time-window.ts';
import { SnapshotError } from '../../clickhouse/snapshot/manifest.ts';
import { recordStationDescriptions } from '../../clickhouse/stations.ts';
import type { Command, ExportCommand, FollowCommand, SnapshotCommand } from '../args/command.ts';
import { findGaps } from '../checks/gaps.ts';
import { ClockError, readArchiveClock } from '../clocks.ts';
import { DECODER_VERSION } from '../decode.ts';
import type { ExitReason } from '../exit-codes.ts';
import { createSourceClient, fetchWithRetry } from '../http/fetch-with-retry.ts';
import { redecode } from '../pipeline/redecode.ts';
import { removeSource } from '../pipeline/remove-source.ts';
import { retryStorage } from '../pipeline/workers.ts';
import { fetchMessages, stepProgress } from '../progress/load-progress.ts';
import { exportSnapshot } from '../snapshot/export.ts';
import { importSnapshot } from '../snapshot/import.ts';
import { openSnapshot } from '../snapshot/open-snapshot.ts';
import { SnapshotFolder } from '../snapshot/snapshot-folder.ts';
import { type KnownSource, SOURCE_ADAPTERS, STATION_LIST_NAMES } from '../sources/registry.ts';
import { plural } from '../wording.ts';
import { formatGaps } from './gaps.ts';
import { importCommand } from './import/import-folder.ts';
import { loadCommand } from './load/load.ts';
import type { CommandContext } from './open-archive.ts';
import { statusOf } from './status.ts';
import { verifyCommand } from './verify.ts';

/** Commands that decide which days are over, or which reports lie ahead. */
const NEEDS_TIME: ReadonlySet<Command['kind']> = new Set(['load', 'files', 'snapshot', 'gaps', 'verify']);

/**
 * Results go to standard output, messages and progress to standard error.
 *
 * @throws ClockError if the command needs the time, and the archive's server or a source has another one
 */
export async function runCommand(
  context: CommandContext,
  command: Exclude<Command, FollowCommand>,
): Promise<ExitReason> {
  const { client, output } = context;
  try {
    await readArchiveClock(client, () => new Date());
  } catch (error) {
    if (!(error instanceof ClockError) || NEEDS_TIME.has(command.kind)) throw error;
    output.log(error.message);
  }
  switch (command.kind) {
    case 'status':
      for (const line of await statusOf(client, command.detail, new Date(), command.json)) output.print(line);
      return 'done';
    case 'migrate':
      // Opening the archive has created what it lacked.
      output.print('The schema of the archive is up to date.');
      return 'done';
    case 'remove-demo':
      await removeSource(client, 'demo');
      output.print('The synthetic demo reports are deleted.');
      return 'done';
    case 'stations':
      return doneOrDaysLeft(await fetchStations(context));
    case 'gaps': {
      const days = command.all ? 'all' : 'asked';
      const found = await findGaps(client, command.scope, new Date(), days);
      for (const line of formatGaps(found, days)) output.print(line);
      return found.gaps.length === 0 ? 'done' : 'daysLeft';
    }
    case 'snapshot':
      return doneOrDaysLeft(await importSnapshotCommand(context, command));
    case 'export':
      return doneOrDaysLeft(await exportCommand(context, command));
    case 'verify':
      return doneOrDaysLeft(await verifyCommand(context, command));
    case 'redecode':
      return doneOrDaysLeft(await redecodeCommand(context, command.scope));
    case 'files':
      return doneOrDaysLeft(await importCommand(context, command));
    case 'load':
      return loadCommand(context, command);
  }
}

const doneOrDaysLeft = (isDone: boolean): ExitReason => (isDone ? 'done' : 'daysLeft');

/** @returns whether no reports are left to decode */
async function redecodeCommand({ client, stop, output }: CommandContext, scope: Scope): Promise<boolean> {
  const selection = { stations: scope.stations, ...windowOfDays(scope) };
  const { decoded, left } = await output.showProgress((display) =>
    redecode(client, selection, stepProgress(display()), stop),
  );
  output.print(`${decoded} reports decoded again by decoder ${DECODER_VERSION}, ${left} left`);
  return left === 0;
}

/** @returns whether the snapshot is whole */
export async function exportCommand(
  { client, stop, output }: Omit<CommandContext, 'config'>,
  { folder: path, scope }: ExportCommand,
): Promise<boolean> {
  const folder = await SnapshotFolder.open(path);
  const result = await output.showProgress((display) =>
    folder.writeAlone(() => exportSnapshot(client, folder, scope, stepProgress(display()), stop)),
  );
  const { manifest, unchanged, lostSlices } = result;
  if (lostSlices > 0)
    output.print(
      `${lostSlices} ledger rows are left out because the archive has lost some of their reports; \`gaps\` prints the commands that load them`,
    );
  if (result.kind === 'stopped') return false;
  const files = manifest.files.filter(({ reports }) => reports !== undefined).length;
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  output.print(
    `${manifest.reports} reports in ${files} files (${unchanged} unchanged), ${(bytes / 1e6).toFixed(1)} MB: ${path}`,
  );
  return true;
}

/** @returns whether the whole snapshot is in the archive */
export async function importSnapshotCommand(
  { client, stop, output }: Omit<CommandContext, 'config'>,
  { path, decodeAgain }: SnapshotCommand,
): Promise<boolean> {
  const snapshot = await openSnapshot(path, stop.now);
  const result = await output
    .showProgress((display) => importSnapshot(client, snapshot, stepProgress(display()), stop, decodeAgain))
    .catch((error: unknown) => {
      if (!isAccessDenied(error)) throw error;
      throw new SnapshotError(
        'The user of CLICKHOUSE_USER may not write to the archive: import as history_loader',
      );
    });
  output.print(`${result.reports} reports of the snapshot, ${result.inserted} new`);
  return result.kind === 'imported';
}

/**
 * Fetches the lists of stations of all sources that publish one, and stores names, countries and positions. Coverage
 * does not change.
 *
 * @returns whether every source has sent its list; the others are named
 */
async function fetchStations({ client, config, stop, output }: CommandContext): Promise<boolean> {
  const { hosts, userAgent } = config;
  const { print, log } = output;
  const signal = stop.now;
  const options = { userAgent, signal, events: fetchMessages(log) };
  const fetchList = async (source: KnownSource) => {
    const { descriptionList: list, descriptionRanks: ranks } = SOURCE_ADAPTERS[source](hosts[source]);
    if (list === undefined || ranks === undefined) return true;
    const sourceClient = createSourceClient({ intervalSeconds: 0, parallel: 1 }, options);
    // One request: if it fails, the user runs the command again.
    const result = await fetchWithRetry(sourceClient, list.request, list.parse, 1);
    if (result.kind !== 'ok') {
      log(`${source}: no list of stations: ${result.kind === 'failed' ? result.reason : 'not found'}`);
      return false;
    }
    const { descriptions } = result.value;
    await retryStorage(() => recordStationDescriptions(client, descriptions, ranks), signal);
    print(`${source}: ${plural(descriptions.length, 'station')} described`);
    return true;
  };
  return (await Promise.all(STATION_LIST_NAMES.map(fetchList))).every((isFetched) => isFetched);
}
