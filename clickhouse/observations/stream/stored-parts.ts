import type { Archive } from '../../archive.ts';
import { SECONDS_PER_DAY } from '../../model/day.ts';
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

type UniformWindow = { readonly window: TimeWindow; readonly hasOneVersion: boolean };

/** A statement costs more than this saves. */
const SHORT_SECONDS = SECONDS_PER_DAY;

/**
 * The first part of a window, in the order of a reader, in which each report has one version, or in which none can be sure to
 * have one. Where the stored parts of a partition have reports of different times, a report has no other version.
 */
export function firstUniform(
  stored: readonly ServedPart[],
  { from, to }: TimeWindow,
  isDescending = false,
): UniformWindow {
  const inside = stored.flatMap((part) => [part.from, part.to]).filter((time) => time > from && time < to);
  const bounds = [from, ...new Set(inside), to].sort((a, b) => a - b);
  const uniform = joinEqual(
    bounds.slice(1).map((end, n) => {
      const window = { from: bounds[n] ?? from, to: end };
      return { window, hasOneVersion: hasOneVersionAt(stored, window.from) };
    }),
  );
  const long = uniform.map(({ window, hasOneVersion }) => ({
    window,
    hasOneVersion: hasOneVersion && (uniform.length === 1 || window.to - window.from >= SHORT_SECONDS),
  }));
  return joinEqual(long).at(isDescending ? -1 : 0) as UniformWindow;
}

function joinEqual(windows: readonly UniformWindow[]): readonly UniformWindow[] {
  const joined: UniformWindow[] = [];
  for (const next of windows) {
    const last = joined.at(-1);
    const isEqual = last?.hasOneVersion === next.hasOneVersion;
    if (isEqual) joined.pop();
    joined.push(isEqual ? { ...next, window: { from: last.window.from, to: next.window.to } } : next);
  }
  return joined;
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
