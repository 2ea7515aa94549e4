import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { withoutComments } from './statements/sql-file.ts';

export type Migration = {
  readonly name: string;
  readonly statement: string;
  /** Of the statement; its comments may change after the release. */
  readonly checksum: string;
};

const SCHEMA = new URL('./schema/', import.meta.url);

/** The migrations of this program: the files of `schema/`, one statement each, in their order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(SCHEMA)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const statement = await readFile(new URL(name, SCHEMA), 'utf8');
      return { name, statement, checksum: checksumOf(statement) };
    }),
  );
}

/** The SHA-256 of a statement without its SQL comments and with runs of white space as one blank. */
export function checksumOf(statement: string): string {
  return createHash('sha256').update(withoutComments(statement).replace(/\s+/g, ' ').trim()).digest('hex');
}

/** Whether an archive has this migration, given the checksum that it recorded. */
export function isSameMigration({ name, checksum }: Migration, recorded: string): boolean {
  return recorded === checksum || recorded === CHECKSUMS_WITH_COMMENTS[name];
}

/** Archives that were migrated before checksums left out comments recorded these, of the whole files. */
const CHECKSUMS_WITH_COMMENTS: Readonly<Record<string, string>> = {
  '001_create_observations.sql': 'e9a8936c302bdd29f808f9ae6858316dc9abde6bd0f9ca4b83fa38d67d87e416',
  '002_create_slices.sql': 'd756663d0ccf582553fe80cf5e992e463ca2e1ae7f6252ae29d3b557fb50063c',
  '003_create_stations.sql': 'd2d1205ab9dc55862a45e673c30e44fd020d477cbcbd423259919c5759a92bce',
  '004_create_coverage.sql': 'eb08cc91b0cc1fda4fc01466bfc76ed43a01869e25429003047127ab24dfd356',
  '005_feed_coverage_from_slices.sql': 'edb67b22bbb75fe77c94a4d6be56bd558b4f512a47ba06b1a02490c0a107ef67',
  '006_feed_coverage_from_observations.sql':
    'bdfbb4981a8b066c6f61cb0b6e4a3b2953b1a3589d0513ca7709cc271bbdcb56',
  '007_create_sightings.sql': '7a25ada4d0f25906431e302878d7cd47ec9c3028449ada267dbb7ac8ed948d78',
  '008_feed_coverage_from_sightings.sql': '27e9c3262d112b8d05f796e3c6d78ac1c5c2889679e702c4ca3e54047acf6aa8',
};
