import type { Archive } from '../../../clickhouse/archive.ts';
import { isUnreadableFile } from '../../../clickhouse/errors.ts';
import { REPORT_TYPES } from '../../../clickhouse/model/report.ts';
import { readRecords } from '../../../clickhouse/snapshot/import-files.ts';
import type { WholeFileFormat } from '../../sources/format.ts';
import { UNREADABLE_ROW } from '../../sources/parse-rows.ts';
import { KNOWN_SOURCES } from '../../sources/registry.ts';
import { InvalidResponseError } from '../../sources/source.ts';

/** Some ten million records. ClickHouse reads it in parts. */
const MAX_BYTES_OF_FILE = 256_000_000;

/** Parquet of `/v1/history/observations` with `include=raw`, and the files of reports of a snapshot. */
export function parquetFormat(archive: Archive): WholeFileFormat & { readonly source: 'records' } {
  return {
    name: 'records of this service: station, observedAt, type and raw',
    source: 'records',
    maxBytes: MAX_BYTES_OF_FILE,
    isStart: (bytes) => bytes.toString('latin1', 0, 4) === 'PAR1',
    async *rows(file) {
      try {
        for await (const some of readRecords(archive, file))
          for (const { station, observedAt, type: sent, raw, source } of some) {
            if (raw === null || observedAt === 0)
              throw new InvalidResponseError(
                'its rows are no records with texts: ask for observations with include=raw, and load a snapshot with the command restore',
              );
            const known = KNOWN_SOURCES.find((each) => each === source);
            const type = REPORT_TYPES.find((each) => each === sent);
            if (type === undefined) yield { station, filedAt: observedAt, reason: UNREADABLE_ROW };
            else yield { station, filedAt: observedAt, text: raw, type, ...(known && { source: known }) };
          }
      } catch (error) {
        if (!isUnreadableFile(error)) throw error;
        const [reason = ''] = String((error as Error).message).split('\n');
        throw new InvalidResponseError(`damaged Parquet: ${reason.slice(0, 200)}`);
      }
    },
  };
}
