import type { Archive, AttachedFile, StatementSettings } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { readAmounts } from './amounts.ts';
import { HAS_EXTREMES } from './extremes.ts';
import type { PeriodSource } from './period-source.ts';
import type { PeriodKind } from './periods.ts';

const KINDS = readStatement('periods/kinds');

/** Of which kinds reports have something, and the rows of those that no statement computes. */
export type Periods = { readonly kinds: readonly PeriodKind[]; readonly amounts?: AttachedFile };

/** Before the statement of a question: a level of it costs as much as to read a year, also where there is nothing. */
export async function readPeriods(
  archive: Archive,
  source: PeriodSource,
  asked: ReadonlySet<PeriodKind>,
  settings: StatementSettings,
): Promise<Periods> {
  const amounts = asked.has('amounts') ? await readAmounts(archive, source, settings) : undefined;
  const isOfExtremes = asked.has('peaks') || asked.has('extremes');
  const found = isOfExtremes ? await readKinds(archive, source, settings) : [];
  return {
    kinds: [
      ...found.filter((kind) => asked.has(kind)),
      ...(amounts === undefined ? [] : ['amounts' as const]),
    ],
    ...(amounts && { amounts }),
  };
}

async function readKinds(archive: Archive, source: PeriodSource, settings: StatementSettings) {
  const query = fillSql(KINDS, { sample: source.sample(0, DAY), hasExtremes: HAS_EXTREMES });
  const { params, stations } = source;
  const rows = await selectRows<[PeriodKind]>(
    archive,
    { query, params, ofStations: stations.length > 1, settings },
    'array',
  );
  return rows.map(([kind]) => kind);
}

const DAY = 86_400;
