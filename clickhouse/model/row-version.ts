import { SOURCES, type Source } from './report.ts';

/** What a decoder may add to a version: all versions of one text share its higher bits. */
const TEXT = 0x100;
const RANK = 0x1_0000;

/** The highest version of a decoder that fits into the version of a row. */
export const MOST_DECODERS = TEXT - 1;

/** How faithful a source is (D4), at least 1: the higher rank's text and type stay in the archive. */
export function rankOf(source: Source): number {
  return SOURCES.length - SOURCES.indexOf(source);
}

/**
 * The version of a row: the source's rank in the high 16 bits, then 8 for the revisions of its text and type, then 8
 * for the decoders that read that text. The highest version of a key is the one that readers see, so whatever
 * replaces a row must pass its version: a better source does by its rank, a correction by the same source through the
 * revision.
 */
export function versionAbove(source: Source, replaced?: { readonly version: number }): number {
  return Math.max(rankOf(source) * RANK, replaced === undefined ? 0 : textOf(replaced.version) + TEXT);
}

/**
 * The version of the same text read by a newer decoder. It passes the row it replaces and stays below everything that
 * `versionAbove` gives, so that a better text or a retraction wins, whichever of the two is written first; and two who
 * decode the same row at once write the same version.
 */
export function versionDecoded(decoder: number, replaced: { readonly version: number }): number {
  return Math.max(textOf(replaced.version) + decoder, replaced.version + 1);
}

function textOf(version: number): number {
  return version - (version % TEXT);
}
