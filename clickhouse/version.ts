import { SOURCES, type Source } from './report.ts';

/** How faithful a source is (D4), at least 1: the higher rank's text and type stay in the archive. */
export function rankOf(source: Source): number {
  return SOURCES.length - SOURCES.indexOf(source);
}

/**
 * The version of a row: the source's rank in the high 16 bits, a revision in the low 16.
 * The highest version of a key is the one that readers see, so whatever replaces a row must pass its version:
 * a better source does by its rank, a correction by the same source through the revision.
 */
export function versionAbove(source: Source, replaced?: { readonly version: number }): number {
  return Math.max(rankOf(source) * 0x1_0000, replaced === undefined ? 0 : replaced.version + 1);
}
