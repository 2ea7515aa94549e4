import type { Readable } from 'node:stream';
import { joinArrow } from './join-arrow.ts';
import { joinParquet } from './join-parquet.ts';
import { RowLimit, type WindowJoiner } from './join-windows.ts';
import type { StreamFormat } from './output-formats.ts';

/** Make one stream of what several statements print; they fail instead of holding more than `limit` records. */
export const JOINERS: Readonly<Record<StreamFormat, (limit: number) => WindowJoiner>> = {
  ndjson: (limit) => joinLines(limit, 0),
  csv: (limit) => joinLines(limit, 1),
  parquet: joinParquet,
  arrow: joinArrow,
};

const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/** Concatenates lines: NDJSON, and CSV with a header only in the first window. */
function joinLines(limit: number, headerLines: 0 | 1): WindowJoiner {
  const rows = new RowLimit(limit + headerLines);
  return {
    async *add(window: Readable) {
      for await (const chunk of window as AsyncIterable<Buffer>) {
        let lines = 0;
        for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
        rows.add(lines);
        yield chunk;
      }
    },
    end: () => NOTHING,
    records: () => Math.max(0, rows.count - headerLines),
  };
}
