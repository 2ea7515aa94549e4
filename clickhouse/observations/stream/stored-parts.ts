import type { Archive } from '../../archive.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { readServedParts, type ServedPart } from '../../statements/served-parts.ts';

/** The parts of the tables, as they were at the last look. */
export class StoredParts {
  readonly #archive: Archive;
  #known: readonly ServedPart[] | undefined;

  /** @param known from a look at most a second ago */
  constructor(archive: Archive, known?: readonly ServedPart[]) {
    this.#archive = archive;
    this.#known = known;
  }

  async of(table: string): Promise<readonly ServedPart[]> {
    this.#known ??= await readServedParts(this.#archive);
    return this.#known.filter((part) => part.table === table);
  }

  /** Looks again: whether the same parts as before have the reports of a window. */
  async areSame(table: string, window: TimeWindow): Promise<boolean> {
    const before = await this.of(table);
    this.#known = undefined;
    return hasSameParts(before, await this.of(table), window);
  }
}

/**
 * The first part of a window, in the order of a reader, in which each report has one version, or in which none can be sure to
 * have one. Where the stored parts of a partition have reports of different times, a report has no other version.
 */
export function firstUniform(
  stored: readonly ServedPart[],
  window: TimeWindow,
  isDescending = false,
): { readonly window: TimeWindow; readonly hasOneVersion: boolean } {
  const { from, to } = window;
  const inside = (time: number) => time > from && time < to;
  const bounds = [...new Set(stored.flatMap((part) => [part.from, part.to]).filter(inside))];
  bounds.sort((a, b) => (isDescending ? b - a : a - b));
  let at = isDescending ? to - 1 : from;
  const hasOneVersion = hasOneVersionAt(stored, at);
  for (const bound of bounds) {
    at = isDescending ? bound - 1 : bound;
    if (hasOneVersionAt(stored, at) === hasOneVersion) continue;
    return { window: isDescending ? { from: bound, to } : { from, to: bound }, hasOneVersion };
  }
  return { window, hasOneVersion };
}

function hasOneVersionAt(stored: readonly ServedPart[], time: number): boolean {
  const partitions = stored.filter(({ from, to }) => from <= time && time < to).map(partitionOf);
  return new Set(partitions).size === partitions.length;
}

/** With its shard. */
function partitionOf({ name }: ServedPart): string {
  return name.slice(0, name.indexOf('_'));
}

/** Whether the same parts have the reports of a window at two moments. */
export function hasSameParts(
  before: readonly ServedPart[],
  now: readonly ServedPart[],
  { from, to }: TimeWindow,
): boolean {
  const namesOf = (stored: readonly ServedPart[]) =>
    stored.flatMap((part) => (part.from < to && part.to > from ? part.name : [])).sort();
  return namesOf(before).join() === namesOf(now).join();
}
