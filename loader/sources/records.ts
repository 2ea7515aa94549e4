import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { jsonOf } from './awc.ts';
import { decodeText } from './body.ts';
import { openCsv } from './csv.ts';
import type { RowFormat, SkippedRow, SourceRow, WholeFileFormat } from './format.ts';
import { rowTimeParser, UNREADABLE_ROW } from './parse-rows.ts';
import type { FileSource } from './source.ts';
import { isObject } from './station-lists.ts';

/** An answer of the API as JSON has at most 10,000 records of some kilobytes. */
const MAX_BYTES_OF_FILE = 64_000_000;

/**
 * Records of `/v1/history/observations` of this or another such service, with `include=raw`. They do not say their source, so
 * their texts yield to those of any other.
 */
export function records(): FileSource {
  return {
    kind: 'files',
    source: 'records',
    rank: 1,
    sendsTypes: true,
    fileFormats: () => [CSV, NDJSON],
    wholeFileFormats: [JSON_PAGE],
  };
}

const FORMAT_NAME =
  'records of this service: station, observedAt, type and raw, with times such as 2024-01-31 12:51 in UTC';
const RECORD_COLUMNS = ['station', 'observedAt', 'raw'] as const;
type Name = (typeof RECORD_COLUMNS)[number] | 'type';

function recordReader(): (value: (name: Name) => string) => SourceRow | SkippedRow {
  const parseTime = rowTimeParser();
  return (value) => {
    const filedAt = parseTime(value('observedAt'));
    const type = REPORT_TYPES.find((known) => known === value('type'));
    if (filedAt === undefined || type === undefined) return { reason: UNREADABLE_ROW };
    return { station: value('station'), filedAt, text: value('raw'), type };
  };
}

const CSV: RowFormat = {
  name: FORMAT_NAME,
  open: (header) => openCsv(header, RECORD_COLUMNS, ['type'], recordReader()),
};

const NDJSON: RowFormat = {
  name: FORMAT_NAME,
  open: (first) => {
    const record = objectOf(first);
    if (!isObject(record) || !('observedAt' in record && 'raw' in record)) return undefined;
    const readRecord = recordReader();
    return (line) => readObject(objectOf(line), readRecord);
  },
  isRow: () => true,
  isWhole: (line) => objectOf(line) !== undefined,
};

const JSON_PAGE: WholeFileFormat = {
  name: FORMAT_NAME,
  maxBytes: MAX_BYTES_OF_FILE,
  isStart: (bytes) => /^\s*(?:\{\s*"data":|\[)(?:\s*\[\s*\]|.*"observedAt".*"raw")/s.test(decodeText(bytes)),
  rows(file) {
    const readRecord = recordReader();
    const records = pagesOf(file).flatMap((page) => (isObject(page) && 'data' in page ? page.data : page));
    return records.map((record) => readObject(record, readRecord));
  },
  lacks(file) {
    const last = pagesOf(file).at(-1);
    const hasMore = isObject(last) && isObject(last.meta) && last.meta.hasMore === true;
    return hasMore ? 'its last page has hasMore: load the pages that follow too' : undefined;
  },
};

function pagesOf(file: Buffer): readonly unknown[] {
  const value = jsonOf(file);
  return Array.isArray(value) ? value : [value];
}

function readObject(record: unknown, readRecord: ReturnType<typeof recordReader>): SourceRow | SkippedRow {
  if (!isObject(record) || typeof record.raw !== 'string') return { reason: UNREADABLE_ROW };
  return readRecord((name) => String(record[name]));
}

function objectOf(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
