import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from './json-schema.ts';

/** An answer of the service to a request, recorded by `test/integration/api/docs/openapi.test.ts`. */
type Example = {
  readonly request: string;
  readonly body: JsonValue;
};

/**
 * By operation, status and media type: `get /v1/history/coverage 200 application/json`. Problems look the same on every
 * path, so each code has one example, under its operation on observations: `get /v1/history/observations 400
 * invalid_cursor`.
 */
type Examples = Readonly<Record<string, Example>>;

export const EXAMPLES_FILE = new URL('./examples.json', import.meta.url);

export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as Examples;
}

/** The paths with the recorded examples added to their responses. */
export function addExamples(paths: JsonObject, examples: Examples): JsonObject {
  return mapValues(paths, (item, path) =>
    mapValues(item, (operation, method) => ({
      ...operation,
      responses: mapValues(operation.responses as JsonObject, (response, status) =>
        addToResponse(response, `${method} ${path}`, status, examples),
      ),
    })),
  );
}

function addToResponse(
  response: JsonObject,
  operation: string,
  status: string,
  examples: Examples,
): JsonObject {
  if (response.content === undefined) return response;
  const content = mapValues(response.content as JsonObject, (media, type) => {
    const isProblem = type === 'application/problem+json';
    const prefix = isProblem ? `get /v1/history/observations ${status} ` : `${operation} ${status} ${type}`;
    const codes = codesOf(media);
    const shown = Object.entries(examples).flatMap(([key, { request, body }]) => {
      const isShown = isProblem
        ? key.startsWith(prefix) && codes.includes(key.slice(prefix.length))
        : key === prefix;
      return isShown
        ? [[key.slice(prefix.length) || 'recorded', { summary: `GET ${request}`, value: body }]]
        : [];
    });
    return shown.length === 0 ? media : { ...media, examples: Object.fromEntries(shown) };
  });
  return { ...response, content };
}

/** The codes that a problem of this response can have. */
function codesOf({ schema }: JsonObject): readonly string[] {
  const { properties } = schema as { readonly properties?: { readonly code: { readonly enum: string[] } } };
  return properties?.code?.enum ?? [];
}

function mapValues(value: JsonObject, change: (part: JsonObject, name: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, change(part as JsonObject, name)]),
  );
}
