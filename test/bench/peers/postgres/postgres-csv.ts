import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Query } from '../../read/queries.ts';
import type { PostgresServer } from './postgres-server.ts';

export type PostgresCsv = {
  write(query: Query, onChunk?: (chunk: Buffer) => void): Promise<void>;
  close(): Promise<void>;
};

const COPIED = '-- copied --\n';

/** `psql` over one connection for all statements, which prints the rows of COPY as they arrive. */
export function openPostgresCsv({ bin, socketFolder }: PostgresServer): PostgresCsv {
  const psql = spawn(
    join(bin, 'psql'),
    ['-h', socketFolder, '-U', 'bench', '-d', 'postgres', '-Xqv', 'ON_ERROR_STOP=1'],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(psql, 'exit');
  const output = psql.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return {
    async write(query, onChunk) {
      psql.stdin.write(`COPY (${statementOf(query)}) TO STDOUT WITH (FORMAT csv, HEADER);\n\\echo ${COPIED}`);
      // What may be the first bytes of the marker waits for the next chunk.
      let pending: Buffer = Buffer.alloc(0);
      for (;;) {
        const { value, done } = await output.next();
        if (done === true) throw new Error('psql ended');
        const bytes = pending.length === 0 ? value : Buffer.concat([pending, value]);
        const isLast = bytes.subarray(-COPIED.length).toString('latin1') === COPIED;
        const end = Math.max(0, bytes.length - COPIED.length);
        onChunk?.(bytes.subarray(0, end));
        if (isLast) return;
        pending = bytes.subarray(end);
      }
    },
    async close() {
      psql.stdin.end();
      await exited;
    },
  };
}

function statementOf({ filters }: Query): string {
  const stations = filters.stations.map((station) => `'${station}'`).join(',');
  const [from, to] = [filters.from, filters.to].map((time) => `'${new Date(time * 1000).toISOString()}'`);
  const time = (format: string) => `to_char(observed_at AT TIME ZONE 'UTC', '${format}')`;
  // One line: psql runs what ends with a line.
  return [
    `SELECT station || '-' || ${time('YYYYMMDDHH24MI')} || '-' || fingerprint AS id, station,`,
    `${time('YYYY-MM-DD"T"HH24:MI:SS"Z"')} AS "observedAt", type, 'raw_only' AS "parseStatus", raw`,
    `FROM observations WHERE station ${filters.stations.length === 1 ? `= ${stations}` : `IN (${stations})`}`,
    `AND observed_at >= ${from} AND observed_at < ${to}`,
    'ORDER BY observed_at, observations.station, type, fingerprint',
  ].join(' ');
}
