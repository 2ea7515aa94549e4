import type { Archive, AttachedFile, StatementSettings } from '../archive.ts';
import { columnType, FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import { selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { amountSample, HAS_AMOUNTS, readAmounts } from './amounts.ts';
import { ABSENT } from './column.ts';
import { readNeighbors } from './complete-days.ts';
import { HAS_EXTREMES, readExtremes, readPeaks } from './extremes.ts';
import type { PeriodSource } from './period-source.ts';
import { PERIODS, type PeriodKind } from './periods.ts';
import type { Group } from './question.ts';
import type { StatementSource } from './statement.ts';

const KIND = readStatement('periods/kind');

/** What a statement takes from others before it. */
export type Periods = {
  /** The kinds of which reports have something: those of the rows. */
  readonly kinds: readonly PeriodKind[];
  /** A row for each group and kind, which the statement reads as a table. */
  readonly file?: AttachedFile;
  /** Parameters, with `days=complete`. */
  readonly neighbors?: Readonly<Record<string, readonly number[]>>;
};

const FILE = 'periods';

/**
 * Before the statement of a question: what depends on other reports than those of a group. Each is a statement of its own,
 * because the engine plans a part of a UNION several times, and where reports have nothing of a kind there is none.
 */
export async function readPeriods(
  archive: Archive,
  source: StatementSource,
  settings: StatementSettings,
): Promise<Periods> {
  const [neighbors, rows] = await Promise.all([
    source.question.days === 'complete' ? readNeighbors(archive, source, settings) : undefined,
    readKinds(archive, source, settings),
  ]);
  const kinds = [...rows.keys()];
  const ofDays = neighbors && { neighbors };
  const lines = [...rows].flatMap(([kind, ofKind]) =>
    ofKind.map((row) => lineOf(row, kind, kinds, source.groups.length)),
  );
  if (lines.length === 0) return { kinds: [], ...ofDays };
  const columns = [
    ['_station', 'UInt16'],
    ...source.question.groups.map((group, at) => [`_group${at}`, typeOf(group)]),
    ...kinds.flatMap((kind) => Object.entries(PERIODS[kind].columns)),
  ];
  const file = {
    name: FILE,
    format: 'TSV',
    structure: columns.map((column) => column.join(' ')).join(', '),
    bytes: Buffer.from(`${lines.join('\n')}\n`, 'latin1'),
  };
  return { kinds, file, ...ofDays };
}

/** The rows of each kind of which some report has something. */
async function readKinds(
  archive: Archive,
  source: StatementSource,
  settings: StatementSettings,
): Promise<ReadonlyMap<PeriodKind, readonly string[]>> {
  const { values, params, stations } = source;
  const asked = [...new Set(values.flatMap(({ of }) => of ?? []))];
  if (asked.length === 0) return new Map();
  const query = asked.map((kind) => fillSql(KIND, { kind, ...reportsOf(kind, source) })).join('UNION ALL\n');
  const statement = { query, params, ofStations: stations.length > 1, settings };
  const found = await selectRows<[PeriodKind]>(archive, statement, 'array');
  const kinds = asked.filter((kind) => found.some(([each]) => each === kind));
  const rowsOf = async (kind: PeriodKind) => {
    const onlyFirst = values.some((value) => value.of === kind && value.onlyFirst);
    return [kind, await READERS[kind](archive, source, onlyFirst, settings)] as const;
  };
  return new Map(await Promise.all(kinds.map(rowsOf)));
}

/** The row of one kind as one of the file, in which columns of other kinds are absent. */
function lineOf(row: string, kind: PeriodKind, kinds: readonly PeriodKind[], groups: number): string {
  const cells = row.split('\t');
  const values = kinds.flatMap((each) =>
    each === kind ? cells.slice(1 + groups) : Object.keys(PERIODS[each].columns).map(() => ABSENT),
  );
  return [...cells.slice(0, 1 + groups), ...values].join('\t');
}

const READERS: Readonly<
  Record<
    PeriodKind,
    (
      archive: Archive,
      source: PeriodSource,
      onlyFirst: boolean,
      settings: StatementSettings,
    ) => Promise<readonly string[]>
  >
> = {
  peaks: readPeaks,
  extremes: readExtremes,
  amounts: (archive, source, _, settings) => readAmounts(archive, source, settings),
};

/** The type of the values of a group in the file. */
function typeOf(group: Group): string {
  switch (group.kind) {
    case 'calendar':
      return 'UInt32';
    case 'choice':
      return columnType(FIELD_COLUMNS.get(group.field) as FieldColumn);
    default:
      return 'Nullable(UInt8)';
  }
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
