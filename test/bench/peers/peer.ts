import type { Query } from '../read/queries.ts';

/** Another database with the same rows. */
export type Peer = {
  readonly name: 'postgres' | 'duckdb';
  readonly version: string;
  readonly bytes: number;
  /** Reads a page through the database's own driver, up to the JSON text of each record. */
  page(query: Query): Promise<readonly string[]>;
  /** Prints all records of a query as CSV, in the order of the service; the bytes go to `onChunk`. */
  csv(query: Query, onChunk?: (chunk: Buffer) => void): Promise<void>;
  /** The arguments of `peer-server.ts`. */
  readonly server: readonly string[];
  close(): Promise<void>;
};

/** The benchmark runs without this peer. */
export class PeerNotInstalledError extends Error {}

/** A row of a page as the driver returns it: text, and `decoded` as the JSON text that is stored. */
export type Row = {
  readonly station: string;
  /** `2024-01-31T12:51:00Z` */
  readonly observedAt: string;
  readonly type: string;
  readonly fingerprint: string;
  readonly clean: boolean;
  readonly raw?: string | undefined;
  readonly decoded?: string | undefined;
};

/** The record as the api prints it. */
export function recordOf({ station, observedAt, type, fingerprint, clean, raw, decoded }: Row): string {
  const minute = observedAt.slice(0, 16).replace(/[-T:]/g, '');
  const status = decoded === undefined ? 'raw_only' : clean ? 'parsed' : 'failed';
  const text = raw === undefined ? '' : `,"raw":${JSON.stringify(raw)}`;
  const fields = decoded === undefined || !clean ? '' : `,"decoded":${decoded}`;
  return `{"id":"${station}-${minute}-${fingerprint}","station":"${station}","observedAt":"${observedAt}","type":"${type}","parseStatus":"${status}"${text}${fields}}`;
}

/** Whether the texts of records are as many as those of the api, and the last one has the same id. */
export function isSamePage(records: readonly string[], data: readonly { readonly id: string }[]): boolean {
  if (records.length !== data.length) return false;
  const last = data.at(-1);
  return last === undefined || records.at(-1)?.startsWith(`{"id":"${last.id}"`) === true;
}
