import type { Archive, AttachedFile, StatementSettings } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { amountSample, HAS_AMOUNTS, readAmounts } from './amounts.ts';
import { readNeighbors } from './complete-days.ts';
import { HAS_EXTREMES } from './extremes.ts';
import type { PeriodSource } from './period-source.ts';
import type { PeriodKind } from './periods.ts';

const KIND = readStatement('periods/kind');

/** Of which kinds reports have something, and the rows of those that no statement computes. */
export type Periods = {
  readonly kinds: readonly PeriodKind[];
  readonly amounts?: AttachedFile;
  /** Parameters, with `days=complete`. */
  readonly neighbors?: Readonly<Record<string, readonly number[]>>;
};

/**
 * Before the statement of a question: a level of SELECT costs as much as to read a year of reports, also where there is
 * nothing.
 */
export async function readPeriods(
  archive: Archive,
  source: PeriodSource,
  asked: readonly PeriodKind[],
  settings: StatementSettings,
): Promise<Periods> {
  const neighbors =
    source.question.days === 'complete' ? await readNeighbors(archive, source, settings) : undefined;
  if (asked.length === 0) return { kinds: [], ...(neighbors && { neighbors }) };
  const query = asked.map((kind) => fillSql(KIND, { kind, ...reportsOf(kind, source) })).join('UNION ALL\n');
  const { params, stations } = source;
  const select = { query, params, ofStations: stations.length > 1, settings };
  const found = (await selectRows<[PeriodKind]>(archive, select, 'array')).map(([kind]) => kind);
  const amounts = found.includes('amounts') ? await readAmounts(archive, source, settings) : undefined;
  // There may be amounts around the range alone.
  const kinds = found.filter((kind) => kind !== 'amounts' || amounts !== undefined);
  return { kinds, ...(amounts && { amounts }), ...(neighbors && { neighbors }) };
}

/** The reports that have something of a kind. */
function reportsOf(kind: PeriodKind, source: PeriodSource) {
  if (kind === 'amounts') return { sample: amountSample(source), isGiven: HAS_AMOUNTS };
  return {
    sample: source.sample(0, DAY),
    isGiven: kind === 'peaks' ? 'pk_wspd_kt IS NOT NULL' : HAS_EXTREMES,
  };
}

const DAY = 86_400;
