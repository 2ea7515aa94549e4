import type { Answer } from './answer.ts';
import type { Cursor, Library } from './library.ts';

/** Up to here an answer is awaited whole, so that its failure has a status of its own. */
const wholeUpToBytes = 1024 * 1024;

/** Fetches the first blocks of a result: all of it where it is short. */
export async function firstBlocks(library: Library, cursor: Cursor, format: string): Promise<Answer> {
  const blocks = fetchBlocks(library, cursor);
  const first: Buffer[] = [];
  let length = 0;
  while (length < wholeUpToBytes) {
    const next = await blocks.next();
    if (next.done) return { kind: 'whole', format, bytes: Buffer.concat(first), counts: next.value };
    first.push(next.value);
    length += next.value.length;
  }
  return { kind: 'blocks', format, blocks: inTurn(first, blocks) };
}

type Fetched = { readonly resultRows: number; readonly seconds: number };

async function* fetchBlocks(library: Library, cursor: Cursor): AsyncGenerator<Buffer, Fetched, void> {
  const started = performance.now();
  let resultRows = 0;
  let open = true;
  try {
    for (;;) {
      const block = await library.StreamFetch(cursor);
      open = !block.done;
      if (block.done) return { resultRows, seconds: (performance.now() - started) / 1000 };
      resultRows += block.numRows;
      yield block.bytes;
    }
  } catch (error) {
    // A cursor that failed is closed; one given up by its reader is not.
    open = false;
    throw error;
  } finally {
    if (open) library.StreamCancel(cursor);
  }
}

async function* inTurn(
  first: readonly Buffer[],
  rest: AsyncGenerator<Buffer, Fetched, void>,
): AsyncGenerator<Buffer, void, void> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return({ resultRows: 0, seconds: 0 });
  }
}
