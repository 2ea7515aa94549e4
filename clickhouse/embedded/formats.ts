/** The content type that ClickHouse's HTTP interface declares for each family of formats. */
export function contentType(format: string): string {
  if (
    /^(JSONEachRow|JSONLines|NDJSON|JSONStringsEachRow|JSONCompact.*EachRow|JSON.*EachRowWithProgress)/.test(
      format,
    )
  ) {
    return 'application/x-ndjson; charset=UTF-8';
  }
  if (/^JSON/.test(format)) return 'application/json; charset=UTF-8';
  if (/^CSV/.test(format)) {
    return `text/csv; charset=UTF-8; header=${/WithNames/.test(format) ? 'present' : 'absent'}`;
  }
  if (/^(TabSeparated|TSV)/.test(format)) return 'text/tab-separated-values; charset=UTF-8';
  if (format === 'XML') return 'application/xml; charset=UTF-8';
  if (
    /^(Native|RowBinary|Parquet|ORC|Arrow|Avro|MsgPack|BSON|Npy|ProtobufList|Protobuf|CapnProto)/.test(format)
  ) {
    return 'application/octet-stream';
  }
  return 'text/plain; charset=UTF-8';
}

/**
 * chDB prints every block of a streamed result as a document of its own, with header and footer. Only formats
 * that have neither may be streamed: their blocks laid end to end are the whole answer.
 */
export function isStreamable(format: string): boolean {
  return streamable.has(format);
}

const streamable = new Set([
  'CSV',
  'JSONCompactEachRow',
  'JSONCompactStringsEachRow',
  'JSONEachRow',
  'JSONLines',
  'JSONStringsEachRow',
  'LineAsString',
  'NDJSON',
  'RawBLOB',
  'RowBinary',
  'TabSeparated',
  'TabSeparatedRaw',
  'TSKV',
  'TSV',
  'TSVRaw',
]);
