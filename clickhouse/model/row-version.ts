/** The low 8 bits are for decoders: all versions of one text share the higher bits. */
const TEXT = 0x100;
const RANK = 0x1_0000;

/** The highest decoder version that fits. */
export const MAX_DECODER_VERSION = TEXT - 1;

/**
 * The version of a row: the rank of the source in the high 16 bits, then 8 for revisions of its text and type, then 8
 * for decoders that read that text. Readers see the highest version of a key, so a row that replaces another needs a
 * higher version: a better source has it by its rank, a correction by the same source by the revision.
 *
 * @param rank of the source, from 1; its adapter says it
 */
export function versionAbove(rank: number, replaced?: { readonly version: number }): number {
  return Math.max(rank * RANK, replaced === undefined ? 0 : textVersion(replaced.version) + TEXT);
}

/**
 * The version of the same text read by a newer decoder. It is above the row that it replaces and below every result of
 * `versionAbove`, so a better text or a retraction wins, whichever is written first. Two processes that decode the same
 * row at the same time write the same version.
 */
export function versionDecoded(decoder: number, replaced: { readonly version: number }): number {
  return Math.max(textVersion(replaced.version) + decoder, replaced.version + 1);
}

function textVersion(version: number): number {
  return version - (version % TEXT);
}
