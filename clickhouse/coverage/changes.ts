import { type Archive, canceledBy } from '../archive.ts';
import { isOtherServerUnavailable } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { unionOf } from '../model/day.ts';
import { type HiddenReport, readHiddenReports } from '../observations/hidden-reports.ts';
import { REPORT_TABLES } from '../statements/current-reports.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { readServedParts, type ServedPart } from '../statements/served-parts.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/** Retracted reports and deletes do not reach `coverage`, and rows of two tables become visible at different times. */
const TABLES = ['coverage', 'stations', ...REPORT_TABLES];
/** An insert has at most a million rows: of larger new parts, most were merged with old ones, and all stations may change. */
const MAX_ADDED_ROWS = 2_000_000;
const STATIONS_IN_PARTS = readStatement('coverage/stations_in_parts');

/** Stations whose reports, coverage or listings may have changed; `all` if unknown. */
export type ChangedStations = ReadonlySet<string> | 'all';

export class ArchiveChanges {
  readonly #archive: Archive;
  /** As of the last call of `read`; undefined where a cluster shard did not respond. */
  parts: readonly ServedPart[] | undefined;
  #serverChanges: number;
  /** Hidden reports by station, as of the last call of `read`. Nothing is read while the archive has none. */
  hidden: ReadonlyMap<string, readonly HiddenReport[]> = new Map();

  constructor(archive: Archive) {
    this.#archive = archive;
    this.#serverChanges = archive.countServerChanges();
  }

  /**
   * The changes since the previous call: `all` on the first one, while a table is empty, and after a move to another server.
   * Nothing written before a call begins is missed. Calls must not overlap.
   */
  async read(signal: AbortSignal): Promise<ChangedStations> {
    const archive = canceledBy(signal, this.#archive);
    const known = await readParts(archive);
    if (this.#serverChanges !== archive.countServerChanges()) {
      // Kept in the object, so that the next call knows of the switch even if this one fails.
      this.parts = undefined;
      this.hidden = new Map();
      this.#serverChanges = archive.countServerChanges();
    }
    const [before, now] = [this.parts ?? [], known ?? []];
    if (hiddenPartsOf(now) !== hiddenPartsOf(before))
      this.hidden = groupBy(await readHiddenReports(archive), ({ station }) => station);
    // In an empty table, parts do not show that rows were written and then deleted.
    const parts = TABLES.every((table) => before.some((part) => part.table === table))
      ? addedParts(before, now)
      : 'all';
    const isKnown = parts !== 'all' && parts.reduce((sum, { rows }) => sum + rows, 0) <= MAX_ADDED_ROWS;
    const changed = isKnown ? await stationsIn(archive, parts) : 'all';
    this.parts = known;
    return changed;
  }
}

function hiddenPartsOf(parts: readonly ServedPart[]): string {
  const ofHidden = parts.filter(({ table }) => table === 'hidden_reports');
  return ofHidden.map(({ name }) => name).join(' ');
}

/** `undefined` if a shard of a cluster does not respond. Its changes are unknown then; stations of other shards are served. */
async function readParts(archive: Archive): Promise<readonly ServedPart[] | undefined> {
  try {
    return await readServedParts(archive);
  } catch (error) {
    if (isOtherServerUnavailable(error)) return undefined;
    throw error;
  }
}

async function stationsIn(archive: Archive, parts: readonly Part[]) {
  const changed = new Set<string>();
  for (const [table, ofTable] of groupBy(parts, (part) => part.table)) {
    const names = new Set(ofTable.map(({ name }) => name));
    // `_part` is the name without the number of the shard.
    const params = { parts: [...names].map((name) => name.slice(name.indexOf('-') + 1)) };
    const select = { query: fillSql(STATIONS_IN_PARTS, { table }), params, settings: POINT_READ };
    const found = await selectRows<{ part: string; stations: readonly string[] }>(archive, select);
    // A part was merged between the two statements: its rows are now in another part, among old ones.
    const added = found.filter(({ part }) => names.has(part));
    if (added.length < names.size) return 'all';
    for (const { stations } of added) for (const station of stations) changed.add(station);
  }
  return changed;
}

export type Part = Pick<ServedPart, 'table' | 'name' | 'rows'>;

/**
 * Which parts contain new rows, given the parts of the same tables at two moments. `all` if rows may have been deleted.
 *
 * Every insert creates a block with its own number. A merge combines neighboring parts, so a part whose blocks were all
 * there before contains nothing new. A mutation gives parts a new version.
 */
export function addedParts(before: readonly Part[], now: readonly Part[]): readonly Part[] | 'all' {
  // Most parts do not change, and the table of reports can have thousands.
  const [removed, appeared] = [without(before, now), without(now, before)];
  const [oldBlocks, newBlocks] = [removed.map(blocksOfPart), appeared.map(blocksOfPart)];
  if (oldBlocks.some((old) => !newBlocks.some((blocks) => contains(blocks, old)))) return 'all';
  const added: Part[] = [];
  for (const [n, part] of appeared.entries()) {
    const blocks = newBlocks[n] as Blocks;
    const known = oldBlocks.filter((old) => contains(blocks, old));
    const isRewritten = blocks.version !== Math.max(0, ...known.map(({ version }) => version));
    // Parts keep their rows: another number under the same name means that the table was re-created.
    const isRecreated = removed.some(({ table, name }) => table === part.table && name === part.name);
    if (isRewritten || isRecreated) return 'all';
    const [joined] = unionOf(known);
    if (joined?.first !== blocks.first || joined.end !== blocks.end) added.push(part);
  }
  return added;
}

/** The blocks `[first, end)` of a part and the newest mutation applied to it. Merges stay within a partition. */
type Blocks = ReturnType<typeof blocksOfPart>;

/** `PARTITION_FIRST_LAST_LEVEL`, and `_VERSION` after a mutation; `all` in a table without partitions. */
function blocksOfPart({ table, name }: Part) {
  const match = /^([^_]+)_(\d+)_(\d+)_\d+(?:_(\d+))?$/.exec(name);
  if (match === null) throw new Error(`${name} is not the name of a part`);
  const [, partition, first, last, version = 0] = match;
  return {
    partition: `${table} ${partition}`,
    first: Number(first),
    end: Number(last) + 1,
    version: Number(version),
  };
}

function contains(part: Blocks, old: Blocks): boolean {
  return part.partition === old.partition && part.first <= old.first && part.end >= old.end;
}

function without(parts: readonly Part[], others: readonly Part[]): readonly Part[] {
  const rows = new Map(others.map((part) => [`${part.table} ${part.name}`, part.rows]));
  return parts.filter((part) => rows.get(`${part.table} ${part.name}`) !== part.rows);
}
