import { PassThrough, pipeline, type Readable } from 'node:stream';

/** The bytes of records in a format, and how many records they were, once all are read. */
export class RecordStream extends PassThrough {
  records = 0;
}

/** Makes one stream of what the engine prints for one window after another. */
export type WindowJoiner = {
  /** What the stream gets from a window, in order. Windows come one after another. */
  add(window: Readable): AsyncIterable<Buffer>;
  /** What follows the last window. */
  end(): Buffer;
  /** How many records the windows had so far. */
  records(): number;
};

/**
 * Sends windows one after another, and opens each while the one before is sent. A failure becomes an error of `output`,
 * which then never ends and keeps it in `errored` until it is read.
 *
 * @param openNext undefined after the last one
 */
export function joinWindows(
  first: Readable | undefined,
  openNext: () => Promise<Readable | undefined>,
  joiner: WindowJoiner,
  output: RecordStream,
): void {
  let window = first;
  let next: Promise<Readable | undefined> | undefined;
  async function* bytes() {
    for (; window !== undefined; window = await next) {
      next = openNext();
      // The error is reported where the promise is awaited.
      next.catch(() => {});
      yield* joiner.add(window);
    }
    output.records = joiner.records();
    yield joiner.end();
  }
  // If a window sends nothing, the loop would not see that the reader is gone.
  output.once('close', () => {
    window?.destroy();
    next?.then(
      (opened) => opened?.destroy(),
      () => {},
    );
  });
  output.on('error', () => {});
  pipeline(bytes, output, () => {});
}

/**
 * Counts the rows of a stream and throws if they exceed `limit`: windows are read one after another, and a loader can
 * insert into one that was counted but not yet read (D33).
 */
export class RowLimit {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  add(rows: number): void {
    this.#count += rows;
    if (this.#count > this.#limit)
      throw new Error('Records were inserted while the stream was sent: ask again');
  }
}
