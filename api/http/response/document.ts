import { readFile } from 'node:fs/promises';

/** A document that does not change while the process runs: a page, a style sheet, a script, a schema. */
export type StaticDocument = {
  readonly body: Buffer;
  readonly contentType: string;
  /** Additional headers, such as `Link`. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Documents by their paths. */
export type Documents = Readonly<Record<string, StaticDocument>>;

const CONTENT_TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  py: 'text/x-python; charset=utf-8',
  schema: 'application/schema+json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
} as const;

type DocumentType = keyof typeof CONTENT_TYPES;

export function toDocument(
  body: string | Buffer,
  type: DocumentType,
  headers: Readonly<Record<string, string>> = {},
): StaticDocument {
  return { body: Buffer.from(body), contentType: CONTENT_TYPES[type], headers };
}

/** Reads a file whose extension names its type. */
export async function readDocument(file: URL): Promise<StaticDocument> {
  const extension = file.pathname.split('.').at(-1) ?? '';
  if (!(extension in CONTENT_TYPES)) throw new Error(`No content type for ${file.pathname}`);
  return toDocument(await readFile(file), extension as DocumentType);
}
