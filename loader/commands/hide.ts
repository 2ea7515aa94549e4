import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Position } from '../../clickhouse/model/report.ts';
import {
  idOf,
  isOneOf,
  parseId,
  type ReportId,
  readHiddenReports,
} from '../../clickhouse/observations/hidden-reports.ts';
import { option } from '../args/options.ts';
import type { ExitReason } from '../exit-codes.ts';
import { findReport, hideReports } from '../pipeline/hide.ts';
import { plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

const LONGEST_REASON = 200;

const REASON = option('--reason <text>', 'why, as records print it', (text) => {
  if (/^[^\p{Cc}]*\S[^\p{Cc}]*$/u.test(text) && text.length <= LONGEST_REASON) return text.trim();
  throw new InvalidArgumentError(`write one line of 1 to ${LONGEST_REASON} characters`);
});

export function declareHide({ add, accept }: LoaderProgram): void {
  add('hide [ID...]', 'keeps reports that are wrong out of series, statistics and days; lists them')
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

/** Hides reports for a reason, or without one shows them again. It can be repeated after an interruption. */
async function hide(
  { archive, output }: CommandContext,
  { ids, reason }: { readonly ids: readonly ReportId[]; readonly reason?: string | undefined },
): Promise<ExitReason> {
  const hidden = await readHiddenReports(archive);
  const find = (id: ReportId) => hidden.find((report) => isOneOf([id], report)) ?? findReport(archive, id);
  const reports = await Promise.all(ids.map(find));
  const unknown = ids.filter((_, n) => reports[n] === undefined);
  for (const id of unknown) output.print(`${idOf(id)} is not in the archive`);
  if (unknown.length > 0) {
    output.print('Nothing is changed.');
    return 'invalidArguments';
  }
  const isHidden = reason !== undefined;
  await hideReports(archive, reports as readonly Position[], { isHidden, reason: reason ?? '' });
  for (const id of ids) if (!isHidden && !isOneOf(hidden, id)) output.print(`${idOf(id)} was not hidden`);
  output.print(`${plural(ids.length, 'report')} ${isHidden ? `hidden: ${reason}` : 'shown'}`);
  return 'done';
}
