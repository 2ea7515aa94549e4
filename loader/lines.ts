const LINE_FEED = 0x0a;

/**
 * Reads a body line by line without ever holding more than one chunk of it as text.
 *
 * @returns whether the last line was ended: a body cut short mostly is not
 */
export async function readLines(
  body: AsyncIterable<Uint8Array>,
  take: (line: string) => void,
): Promise<{ readonly ended: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) takeWhole(bytes.toString('utf8', 0, end - 1), take);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) takeWhole(rest.toString('utf8'), take);
  return { ended: rest.length === 0 };
}

function takeWhole(text: string, take: (line: string) => void): void {
  for (const line of text.split('\n')) take(line.endsWith('\r') ? line.slice(0, -1) : line);
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
