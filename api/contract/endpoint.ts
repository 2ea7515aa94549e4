import type { StreamFormat } from '../../clickhouse/observations/stream/output-formats.ts';
import { compileSchema, type ValidationResult } from '../../clickhouse/validation.ts';
import type { MediaTypes } from '../http/http-request.ts';
import { type JsonObject, objectSchema } from './answers.ts';
import type { EndpointParameters } from './parameters.ts';
import type { ValueRules } from './values.ts';

/** The formats of an answer with their media types (D33). The first one is the default. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const satisfies Readonly<Record<'json' | StreamFormat, string>>;

export const PAGE_HEADERS = ['ETag', 'Link'];
export const STREAM_HEADERS = [
  ...['X-Has-More', 'X-Next-Cursor', 'X-Coverage-Status', 'X-Coverage-Silent-Days', 'X-Sources', 'Link'],
  'Content-Disposition',
];

/** Headers of a stream whose rows are in local time. */
export const LOCAL_STREAM_HEADERS = [...STREAM_HEADERS, 'X-Stations-In-UTC'];

/** The content of a format: the name of a schema in the OpenAPI document, or a description of text or a file. */
type Content = ({ readonly schema: string } | { readonly text: string } | { readonly file: string }) & {
  readonly headers: readonly string[];
};

/** Describes each format. `row` says what a row is for, `column` what has a column; formats other than JSON have the `headers`. */
export function tableContents(
  json: { readonly schema: string; readonly headers: readonly string[] },
  [row, column]: readonly [string, string],
  headers: readonly string[],
) {
  const columns = `with a column for each ${column}.`;
  return {
    json,
    ndjson: { text: `One line for each ${row}: the element of \`data\`.`, headers },
    csv: { text: `A header row, then one for each ${row}, ${columns}`, headers },
    parquet: { file: `A file ${columns}`, headers },
    arrow: { file: `An Arrow IPC stream ${columns}`, headers },
  };
}

/** Defines the paths (`/v1/history/NAME`; with several formats also `NAME.FORMAT`), the label in metrics, and the OpenAPI entry. */
export type Endpoint = {
  readonly name: string;
  /** The first one is the default. */
  readonly mediaTypes: MediaTypes;
  /** Absent where requests need no key and are not counted. */
  readonly parameters?: EndpointParameters;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly answer: string;
  readonly contents: Readonly<Record<string, Content>>;
  /** The schemas that only its answers have, by their names in the OpenAPI document. */
  readonly schemas: JsonObject;
};

/** @typeParam Position of the last element of a page, for `cursor` */
export type QueryEndpoint<Position = unknown> = Endpoint &
  ValueRules & {
    /** Absent where answers have no pages. */
    readonly checkPosition?: (position: unknown) => ValidationResult<Position>;
  };

/** The schemas of the members of a type, by their names in `objectSchema`. */
type Members<T> = {
  readonly [Name in keyof T & string as undefined extends T[Name] ? `${Name}?` : Name]-?: JsonObject;
};

export function positionCheck<Position>(members: Members<Position>) {
  return compileSchema<Position>({ ...objectSchema(members), additionalProperties: false });
}

export function pathsOf({ name, mediaTypes }: Endpoint): ReadonlyMap<string, string | undefined> {
  const path = `/v1/history/${name}`;
  const formats = Object.keys(mediaTypes);
  const named = formats.length > 1 ? formats.map((format) => [`${path}.${format}`, format] as const) : [];
  return new Map([[path, undefined], ...named]);
}
