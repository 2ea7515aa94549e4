import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../api/docs/openapi/json-schema.ts';
import { buildOpenApi } from '../../api/docs/openapi/openapi.ts';

/** An answer of the service and where the OpenAPI document describes it. */
export type Answer = {
  /** As `get /healthz 200`, with the code of a problem behind it. */
  readonly name: string;
  readonly body: string;
};

const DOCUMENT = closeObjects(buildOpenApi()) as JsonObject;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
  formats: { 'date-time': TIME, date: /^\d{4}-\d\d-\d\d$/, 'uri-reference': /^\/\S*$/ },
});
ajv.addSchema(DOCUMENT, 'openapi');

/** Fails unless the OpenAPI document describes this answer: its status, headers, content type and body. */
export async function assertDescribed(path: string, response: Response): Promise<Answer> {
  const operation = at(DOCUMENT, 'paths', path, 'get');
  const responses = at(operation, 'responses');
  const status = String(response.status);
  const key = status in responses ? status : `${status.charAt(0)}XX`;
  assert.ok(key in responses, `${path} does not describe ${status}`);
  assertHeaders(at(responses, key), response);
  const body = await response.text();
  const code = assertBody(['paths', path, 'get', 'responses', key], response, body);
  return { name: `get ${path} ${key}${code}`, body };
}

/** Every answer that the document describes, by the names that `assertDescribed` returns. */
export function describedAnswers(): readonly string[] {
  return Object.keys(at(DOCUMENT, 'paths')).flatMap((path) => {
    const responses = at(DOCUMENT, 'paths', path, 'get', 'responses');
    return Object.keys(responses).flatMap((status) => {
      const content = at(responses, status).content;
      const name = `get ${path} ${status}`;
      if (content === undefined) return [name];
      const problem = (content as JsonObject)['application/problem+json'];
      if (problem === undefined) return Object.keys(content).map(() => name);
      const codes =
        at(problem, 'schema').properties === undefined
          ? ['']
          : at(problem, 'schema', 'properties', 'code').enum;
      return (codes as readonly string[]).map((code) => (code === '' ? name : `${name} ${code}`));
    });
  });
}

function assertHeaders(described: JsonObject, response: Response): void {
  for (const [name, reference] of Object.entries(at(described, 'headers'))) {
    const header = follow(reference as JsonObject);
    const value = response.headers.get(name);
    assert.ok(value !== null || header.required !== true, `${response.url} ${response.status} lacks ${name}`);
    if (value !== null && at(header, 'schema').type === 'integer') assert.match(value, /^\d+$/, name);
  }
}

/** @returns the code of a problem after a blank, or nothing */
function assertBody(pointer: readonly string[], response: Response, body: string): string {
  const content = at(DOCUMENT, ...pointer).content;
  if (content === undefined) {
    assert.equal(body, '');
    return '';
  }
  const type = (response.headers.get('content-type') ?? '').replace(/;.*$/, '');
  assert.ok(type in (content as JsonObject), `${response.url} ${response.status} is ${type}`);
  const path = [...pointer, 'content', type, 'schema'].map((part) =>
    part.replaceAll('~', '~0').replaceAll('/', '~1'),
  );
  const validate = ajv.getSchema(`openapi#/${path.map(encodeURIComponent).join('/')}`);
  assert.ok(validate !== undefined);
  const value = type.endsWith('json') ? JSON.parse(body) : body;
  assert.ok(
    validate(value),
    `${response.url} ${response.status}: ${JSON.stringify(validate.errors)}\n${body.slice(0, 2000)}`,
  );
  const isCoded = 'properties' in at(DOCUMENT, ...pointer, 'content', type, 'schema');
  return type === 'application/problem+json' && isCoded ? ` ${value.code}` : '';
}

function follow(value: JsonObject): JsonObject {
  return typeof value.$ref === 'string' ? at(DOCUMENT, ...value.$ref.slice(2).split('/')) : value;
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  let found = value;
  for (const name of path) found = (found as JsonObject | undefined)?.[name];
  assert.ok(typeof found === 'object', `the document has no ${path.join(' ')}`);
  return found as JsonObject;
}

/** The published schemas are open for later fields; what the service answers today has no field that they lack. */
function closeObjects(value: JsonValue): JsonValue {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(closeObjects);
  const closed = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closeObjects(part)]));
  return closed.type === 'object' && closed.properties !== undefined
    ? { ...closed, additionalProperties: false }
    : closed;
}
