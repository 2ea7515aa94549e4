import { Transform } from 'node:stream';
import { parseError } from '@clickhouse/client';

const NO_BYTES: Buffer = Buffer.alloc(0);

/**
 * Passes bytes of a response on and fails where the server reports an exception among them: after the first bytes it
 * can no longer change status 200, so it writes `\r\n__exception__\r\n<tag>\r\n<message>` and breaks the
 * connection. The tag is random, and a header of the response has it, so no data looks like it. It is not passed on.
 */
export function failOnException(tag: string): Transform {
  const marker = Buffer.from(`\r\n__exception__\r\n${tag}\r\n`);
  /** The last bytes so far, if they may begin the marker. */
  let held: Buffer = NO_BYTES;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const at = bytes.indexOf(marker);
      if (at >= 0) return done(parseError(bytes.toString('utf8', at + marker.length)));
      const end = bytes.length - prefixAtEnd(bytes, marker);
      held = bytes.subarray(end);
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
  });
}

/** How many bytes at the end are the first bytes of the marker. */
function prefixAtEnd(bytes: Buffer, marker: Buffer): number {
  const first = marker[0];
  for (let at = Math.max(0, bytes.length - marker.length + 1); at < bytes.length; at += 1)
    if (bytes[at] === first && bytes.compare(marker, 0, bytes.length - at, at) === 0)
      return bytes.length - at;
  return 0;
}
