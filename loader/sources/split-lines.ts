const LINE_FEED = 0x0a;

export type LineGroup = {
  readonly lines: readonly string[];
  /** Whether the last line ends with a line feed. The last line of a body that was cut mostly does not. */
  readonly ended: boolean;
};

/** Splits a body into lines, one group for each chunk that holds a line end. Only one chunk is in memory as text. */
export async function* splitLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<LineGroup> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = rest.length === 0 ? asBuffer(chunk) : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) yield { lines: linesIn(bytes.toString('utf8', 0, end - 1)), ended: true };
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield { lines: linesIn(rest.toString('utf8')), ended: false };
}

/** @returns whether the last line ends with a line feed */
export async function forEachLine(
  body: AsyncIterable<Uint8Array>,
  take: (line: string) => void,
): Promise<{ readonly ended: boolean }> {
  let ended = true;
  for await (const group of splitLines(body)) {
    for (const line of group.lines) take(line);
    ended = group.ended;
  }
  return { ended };
}

function linesIn(text: string): readonly string[] {
  const lines = text.split('\n');
  return text.includes('\r') ? lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line)) : lines;
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
