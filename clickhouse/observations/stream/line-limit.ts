import { Transform } from 'node:stream';

const LINE_FEED = 10;

/**
 * Passes lines on, and fails instead of passing on more than `limit`: the windows of a stream are read one after another,
 * and a loader can insert into one that was counted and is not read yet (D33).
 */
export function limitLines(limit: number): Transform {
  let lines = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
      if (lines > limit) done(new Error('Records were inserted while the stream was sent: ask again'));
      else done(null, chunk);
    },
  });
}
