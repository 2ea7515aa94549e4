import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Archive } from '../../clickhouse/archive.ts';
import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import { toCalendarYears } from '../../clickhouse/model/time-window.ts';
import {
  idOf,
  isOneOf,
  parseId,
  type ReportId,
  readHiddenReports,
  recordHidden,
} from '../../clickhouse/observations/hidden-reports.ts';
import { readStoredReports } from '../../clickhouse/observations/stored-reports.ts';
import { option } from '../args/options.ts';
import type { ExitReason } from '../exit-codes.ts';
import { chooseAgain, chooseOnce, rangeOf } from '../pipeline/reclassify.ts';
import { spanOf } from '../pipeline/write.ts';
import { Writer } from '../pipeline/writer.ts';
import { plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

const LONGEST_REASON = 200;

const REASON = option('--reason <text>', 'the reason, which records show', (text) => {
  if (/^[^\p{Cc}]*\S[^\p{Cc}]*$/u.test(text) && text.length <= LONGEST_REASON) return text.trim();
  throw new InvalidArgumentError(`write one line of 1 to ${LONGEST_REASON} characters`);
});

export function declareHide({ add, accept }: LoaderProgram): void {
  add('hide [ID...]', 'keeps wrong reports out of series, statistics and days; without ids, lists them')
    .argument('[id...]', 'ids of records, like KJFK-202401311251-0a1b2c3d; none to list the hidden reports')
    .addOption(REASON)
    .action((words, { reason }) => {
      const ids = idsOf(words);
      if (ids.length > 0 && reason === undefined)
        throw new InvalidArgumentError('Write --reason TEXT: records print it.');
      if (ids.length === 0 && reason !== undefined)
        throw new InvalidArgumentError('Write the ids of the records to hide.');
      accept({ kind: 'hide', ids, reason }, reason === undefined ? list : hide);
    });
}

export function declareUnhide({ add, accept }: LoaderProgram): void {
  add('unhide ID...', 'lets hidden reports count again')
    .argument('<id...>', 'ids of records')
    .action((words) => accept({ kind: 'unhide', ids: idsOf(words) }, hide));
}

function idsOf(words: readonly string[]): readonly ReportId[] {
  const ids = new Map(words.flatMap((word) => word.split(',')).map((word) => [word, parseId(word)]));
  for (const [word, id] of ids)
    if (id === undefined)
      throw new InvalidArgumentError(`${word} is no id of a record, like KJFK-202401311251-0a1b2c3d.`);
  return [...ids.values()] as ReportId[];
}

async function list({ archive, output }: CommandContext): Promise<boolean> {
  const hidden = await readHiddenReports(archive);
  for (const report of hidden)
    output.print(`${idOf(report)} ${report.type} hidden ${report.at}: ${report.reason}`);
  output.print(plural(hidden.length, 'hidden report'));
  return true;
}

/** Hides reports if a reason is given, else shows them again. It can be repeated after an interruption. */
async function hide(
  { archive, output }: CommandContext,
  { ids, reason }: { readonly ids: readonly ReportId[]; readonly reason?: string | undefined },
): Promise<ExitReason> {
  const hidden = await readHiddenReports(archive);
  const reports: Position[] = [];
  // One at a time: the engine accepts no thousands of connections at once.
  for (const id of ids) {
    const { station, observedAt } = id;
    const stored = await readStoredReports(archive, { station, from: observedAt, to: observedAt + 1 });
    const isIt = (report: Position) => isOneOf([id], report);
    const found = hidden.find(isIt) ?? stored.find(isIt);
    if (found === undefined) output.print(`${idOf(id)} is not in the archive`);
    else reports.push(found);
  }
  if (reports.length < ids.length) {
    output.print('Nothing is changed.');
    return 'invalidArguments';
  }
  const isHidden = reason !== undefined;
  await hideReports(archive, reports, { isHidden, reason: reason ?? '' });
  for (const id of ids) if (!isHidden && !isOneOf(hidden, id)) output.print(`${idOf(id)} was not hidden`);
  output.print(`${plural(ids.length, 'report')} ${isHidden ? `hidden: ${reason}` : 'shown'}`);
  return 'done';
}

/**
 * Hides reports of the archive, or shows them again. If a report is hidden, another one of its minute or hour counts in its place;
 * if it is shown, it can count again. After an interruption, the next loader finds hidden reports that count, and chooses again.
 */
export async function hideReports(
  archive: Archive,
  reports: readonly Position[],
  note: { readonly isHidden: boolean; readonly reason: string },
): Promise<void> {
  const writer = new Writer(archive, newRun());
  const byYear = groupBy(reports, (report) => `${report.station} ${toCalendarYears(spanOf([report])).from}`);
  for (const some of byYear.values()) {
    const [{ station }] = some as [Position, ...Position[]];
    const years = { station, ...toCalendarYears(spanOf(some)) };
    const range = rangeOf([years]);
    await writer.write(range, async () => {
      // Shown reports count again before that is recorded: the next loader would not find shown reports that do not count.
      const others = writer.hidden.filter((report) => !isOneOf(some, report));
      if (!note.isHidden) await chooseOnce({ archive, writer }, years, others);
      await recordHidden(archive, some, note);
      // Reads the list of hidden reports again.
      await writer.complete(range);
      await chooseAgain({ archive, writer }, years);
    });
  }
  await writer.close();
}
