import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BuiltArchive } from '../read/archive.ts';

/** Columns of the file that both peers load, in this order. */
export const COLUMNS = ['station', 'observed_at', 'type', 'fingerprint', 'clean', 'raw', 'decoded'] as const;

const SETTINGS =
  'output_format_json_quote_decimals=1&output_format_json_skip_null_value_in_named_tuples=1&output_format_json_escape_forward_slashes=0';

/** Every report once, station by station, as tab separated text: what COPY of PostgreSQL reads as it stands. */
export async function exportRows({ url, database, folder }: BuiltArchive): Promise<string> {
  const path = join(folder, 'rows.tsv');
  if (await stat(path).catch(() => undefined)) return path;
  const statement = `SELECT station, formatDateTime(observedAt, '%Y-%m-%dT%H:%i:%SZ'), type,
    leftPad(lower(hex(fingerprint)), 8, '0'), if(clean, 't', 'f'), raw,
    replaceOne(replaceOne(toJSONString(decoded), '"rvr":[],', ''), '"clouds":[],', '')
FROM ${database}.observations ORDER BY station, observedAt, type FORMAT TSV`;
  await new Promise<void>((resolve, reject) => {
    const asked = request(`${url}/?${SETTINGS}`, { method: 'POST' }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The export failed: ${response.statusCode}`));
      else pipeline(response, createWriteStream(`${path}.part`)).then(resolve, reject);
    });
    asked.on('error', reject);
    asked.end(statement);
  });
  await rename(`${path}.part`, path);
  return path;
}
