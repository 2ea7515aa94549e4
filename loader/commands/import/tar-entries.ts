import { pipeline } from 'node:stream';
import { extract } from 'tar-stream';
import type { Body } from '../../sources/source.ts';

type TarEntry = { readonly name: string; readonly content: Body };

/** Control characters of a name would reach the terminal. */
const CONTROL = /\p{Cc}+/gu;

/**
 * The files of a tar archive, one after another as they arrive. The unread rest of one is skipped before the next.
 * Names are for messages only: nothing is written to the disk.
 */
export async function* tarEntries(archive: NodeJS.ReadableStream): AsyncGenerator<TarEntry> {
  const entries = extract();
  // An error of the archive reaches the reader through `entries`.
  pipeline(archive, entries, () => {});
  for await (const entry of entries) {
    if (entry.header.type !== 'file') {
      entry.resume();
      continue;
    }
    const content = unclosed(entry as AsyncIterable<Uint8Array>);
    yield { name: entry.header.name.replace(CONTROL, ' '), content };
    for await (const _ of content);
  }
}

/** A reader that stops early closes what it reads, and a closed entry closes the archive. */
function unclosed(entry: AsyncIterable<Uint8Array>): Body {
  const chunks = entry[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) };
}
