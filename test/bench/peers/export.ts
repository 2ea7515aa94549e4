import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DECODED_OBJECT } from '../decoded-object.ts';
import { DATABASE } from '../embedded-engine.ts';
import type { HttpClient } from '../http-client.ts';
import type { BenchArchive } from '../read/archive.ts';

/** Columns of the file that both peers load, in this order. */
export const COLUMNS = ['station', 'observed_at', 'type', 'fingerprint', 'clean', 'raw', 'decoded'] as const;

const SETTINGS =
  'output_format_json_quote_decimals=1&output_format_json_skip_null_value_in_named_tuples=1&output_format_json_escape_forward_slashes=0';

/**
 * Every report once, station by station, as tab-separated text, which PostgreSQL's COPY reads without conversion. It is
 * compressed: 100 million reports take 30 GB otherwise.
 */
export async function exportRows({ engine, folder, layout }: BenchArchive): Promise<string> {
  const path = join(folder, 'rows.tsv.gz');
  if (await stat(path).catch(() => undefined)) return path;
  const rows = readRows(engine.http, layout.stations.toSorted());
  await pipeline(rows, createGzip({ level: 1 }), createWriteStream(`${path}.part`));
  await rename(`${path}.part`, path);
  return path;
}

async function* readRows(http: HttpClient, stations: readonly string[]): AsyncGenerator<Buffer> {
  for (const station of stations)
    yield* await http.stream(
      `SELECT station, formatDateTime(observedAt, '%Y-%m-%dT%H:%i:%SZ'), type,
    leftPad(lower(hex(fingerprint)), 8, '0'), if(clean, 't', 'f'), raw,
    replaceOne(replaceOne(toJSONString(${DECODED_OBJECT}), '"rvr":[],', ''), '"clouds":[],', '')
FROM ${DATABASE}.observations
WHERE station = '${station}'
ORDER BY station, observedAt, type
FORMAT TSV`,
      SETTINGS,
    );
}
