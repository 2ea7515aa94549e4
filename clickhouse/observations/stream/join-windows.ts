import { pipeline, type Readable, type Writable } from 'node:stream';

/**
 * Sends streams one after another, and opens each while the one before is sent. What fails is an error of `output`, which
 * then never ends and keeps it in `errored` until it is read.
 *
 * @param openNext undefined after the last one
 */
export function joinWindows(
  first: Readable | undefined,
  openNext: () => Promise<Readable | undefined>,
  output: Writable,
): void {
  let part = first;
  let next: Promise<Readable | undefined> | undefined;
  async function* bytes() {
    for (; part !== undefined; part = await next) {
      next = openNext();
      // It is reported where it is waited for.
      next.catch(() => {});
      yield* part;
    }
  }
  // A part that sends nothing would keep the loop from seeing that its reader is gone.
  output.once('close', () => {
    part?.destroy();
    next?.then(
      (opened) => opened?.destroy(),
      () => {},
    );
  });
  output.on('error', () => {});
  pipeline(bytes, output, () => {});
}
