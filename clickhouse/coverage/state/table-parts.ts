/** A part of a table. Its name says which inserts it contains. */
export type Part = { readonly table: string; readonly name: string; readonly rows: number };

/**
 * Which parts contain new rows, given the parts of the same tables at two moments. `all` if rows may have been deleted.
 *
 * Every insert creates a block with its own number. A merge combines neighboring parts, so a part whose blocks were all
 * there before contains nothing new. A mutation gives parts a new version.
 */
export function addedParts(before: readonly Part[], now: readonly Part[]): readonly Part[] | 'all' {
  // Most parts do not change, and the table of reports can have thousands.
  const [removed, appeared] = [without(before, now), without(now, before)];
  const [oldBlocks, newBlocks] = [removed.map(blocksOf), appeared.map(blocksOf)];
  if (oldBlocks.some((old) => !newBlocks.some((blocks) => contains(blocks, old)))) return 'all';
  const added: Part[] = [];
  for (const [n, part] of appeared.entries()) {
    const blocks = newBlocks[n] as Blocks;
    const known = oldBlocks.filter((old) => contains(blocks, old)).sort((a, b) => a.first - b.first);
    const isRewritten = blocks.version !== Math.max(0, ...known.map(({ version }) => version));
    if (isRewritten || removed.some((old) => isOfAnotherTable(old, part))) return 'all';
    if (!covers(known, blocks)) added.push(part);
  }
  return added;
}

/** Parts are never rewritten: a different size under the same name means that the table was re-created. */
function isOfAnotherTable(old: Part, part: Part): boolean {
  return old.table === part.table && old.name === part.name && old.rows !== part.rows;
}

type BlockRange = { readonly first: number; readonly last: number };
/** The blocks of a part and the newest mutation applied to it. Merges stay within a partition. */
type Blocks = BlockRange & { readonly partition: string; readonly version: number };

/** `PARTITION_FIRST_LAST_LEVEL`, and `_VERSION` after a mutation; `all` in a table without partitions. */
function blocksOf({ table, name }: Part): Blocks {
  const [partition, first, last, version = '0'] =
    /^([^_]+)_(\d+)_(\d+)_\d+(?:_(\d+))?$/.exec(name)?.slice(1) ?? [];
  if (first === undefined || last === undefined) throw new Error(`${name} is not the name of a part`);
  return {
    partition: `${table} ${partition}`,
    first: Number(first),
    last: Number(last),
    version: Number(version),
  };
}

function contains(part: Blocks, old: Blocks): boolean {
  return part.partition === old.partition && part.first <= old.first && part.last >= old.last;
}

function without(parts: readonly Part[], others: readonly Part[]): readonly Part[] {
  const rows = new Map(others.map((part) => [`${part.table} ${part.name}`, part.rows]));
  return parts.filter((part) => rows.get(`${part.table} ${part.name}`) !== part.rows);
}

/** Whether these ranges, in order, contain every block of a part. */
function covers(ranges: readonly BlockRange[], { first, last }: BlockRange): boolean {
  let next = first;
  for (const range of ranges) {
    if (range.first !== next) return false;
    next = range.last + 1;
  }
  return next === last + 1;
}
