import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DATABASE } from '../embedded-engine.ts';
import type { BenchArchive } from '../read/archive.ts';

/** Columns of the file that both peers load, in this order. */
export const COLUMNS = ['station', 'observed_at', 'type', 'fingerprint', 'clean', 'raw', 'decoded'] as const;

const SETTINGS =
  'output_format_json_quote_decimals=1&output_format_json_skip_null_value_in_named_tuples=1&output_format_json_escape_forward_slashes=0';

/** Every report once, station by station, as tab-separated text, which PostgreSQL's COPY reads without conversion. */
export async function exportRows({ engine, folder }: BenchArchive): Promise<string> {
  const path = join(folder, 'rows.tsv');
  if (await stat(path).catch(() => undefined)) return path;
  const rows = await engine.http.stream(
    `SELECT station, formatDateTime(observedAt, '%Y-%m-%dT%H:%i:%SZ'), type,
    leftPad(lower(hex(fingerprint)), 8, '0'), if(clean, 't', 'f'), raw,
    replaceOne(replaceOne(toJSONString(decoded), '"rvr":[],', ''), '"clouds":[],', '')
FROM ${DATABASE}.observations
ORDER BY station, observedAt, type
FORMAT TSV`,
    SETTINGS,
  );
  await pipeline(rows, createWriteStream(`${path}.part`));
  await rename(`${path}.part`, path);
  return path;
}
