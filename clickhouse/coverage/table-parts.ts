/** A part of a table without partitions: which of its inserts it holds, told by its name. */
export type Part = { readonly table: string; readonly name: string; readonly rows: number };

/**
 * What has come to tables between two looks at their parts: in which parts there are rows that were not there before.
 * `all` where rows may have gone.
 *
 * Every insert is a block with a number of its own. A merge makes one part of neighbours, so that a part whose blocks
 * were all there before holds nothing new; a mutation gives parts another version.
 */
export function addedParts(before: readonly Part[], now: readonly Part[]): readonly Part[] | 'all' {
  const [was, is] = [before.map(placeOf), now.map(placeOf)];
  if (was.some((old) => !is.some((place) => holds(place, old)))) return 'all';
  const found: Part[] = [];
  for (const [n, part] of now.entries()) {
    const place = is[n] as Place;
    const held = was.filter((old) => holds(place, old)).sort((a, b) => a.first - b.first);
    const isRewritten = place.version !== Math.max(0, ...held.map(({ version }) => version));
    if (isRewritten || before.some((old) => isAnother(old, part))) return 'all';
    if (!fills(held, place)) found.push(part);
  }
  return found;
}

/** A part is never written again: another size under the same name is another table's. */
function isAnother(old: Part, part: Part): boolean {
  return old.table === part.table && old.name === part.name && old.rows !== part.rows;
}

type Blocks = { readonly first: number; readonly last: number };
/** Where a part stands, and the newest mutation that it has been through. */
type Place = Blocks & { readonly table: string; readonly version: number };

/** `all_FIRST_LAST_LEVEL`, and `_VERSION` after a mutation. */
function placeOf({ table, name }: Part): Place {
  const [first, last, version = '0'] = /^all_(\d+)_(\d+)_\d+(?:_(\d+))?$/.exec(name)?.slice(1) ?? [];
  if (first === undefined || last === undefined)
    throw new Error(`no part of an unpartitioned table: ${name}`);
  return { table, first: Number(first), last: Number(last), version: Number(version) };
}

function holds(part: Place, old: Place): boolean {
  return part.table === old.table && part.first <= old.first && part.last >= old.last;
}

/** Whether neighbours, in order, leave none of the blocks of a part to others. */
function fills(neighbours: readonly Blocks[], { first, last }: Blocks): boolean {
  let next = first;
  for (const each of neighbours) {
    if (each.first !== next) return false;
    next = each.last + 1;
  }
  return next === last + 1;
}
