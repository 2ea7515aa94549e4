import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../../../api/contract/answers.ts';
import { buildOpenApi } from '../../../../api/docs/openapi/openapi.ts';

/** An answer of the service and where the OpenAPI document describes it. */
export type Answer = {
  /** As `get /healthz 200 application/json`, or with the code of a problem behind the status. */
  readonly name: string;
  readonly body: string;
};

const DOCUMENT = closeObjects(buildOpenApi()) as JsonObject;

const NDJSON = 'application/x-ndjson';
/** The schema of a line of NDJSON. */
const LINES: Readonly<Record<string, string>> = {
  '/v1/history/daily': 'DailyRecord',
  '/v1/history/hourly': 'Hour',
  '/v1/history/monthly': 'MonthlyRecord',
  '/v1/history/normals': 'NormalsRecord',
  '/v1/history/statistics': 'StatisticsRow',
};
const PROBLEM_TYPE = 'application/problem+json';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  validateSchema: false,
  formats: { 'date-time': TIME, date: /^\d{4}-\d\d-\d\d$/, 'uri-reference': /^\/\S*$/, binary: true },
});
ajv.addSchema(DOCUMENT, 'openapi');

/** Fails unless the OpenAPI document describes this answer: its status, headers, content type and body. */
export async function assertDescribed(path: string, response: Response): Promise<Answer> {
  const operation = at(DOCUMENT, 'paths', path, 'get');
  const responses = at(operation, 'responses');
  const status = String(response.status);
  const key = status in responses ? status : 'default';
  assert.ok(key in responses, `${path} does not describe ${status}`);
  assertHeaders(at(responses, key), response);
  const body = await response.text();
  const code = assertBody(path, ['paths', path, 'get', 'responses', key], response, body);
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
      return Object.entries(content as JsonObject).flatMap(([type, media]) =>
        type === PROBLEM_TYPE ? codesOf(media as JsonObject).map((code) => name + code) : [`${name} ${type}`],
      );
    });
  });
}

/** The codes that a response can have, each after a blank; nothing where it can have any. */
function codesOf(media: JsonObject): readonly string[] {
  const { properties } = at(media, 'schema');
  if (properties === undefined) return [''];
  return (at(properties, 'code').enum as readonly string[]).map((code) => ` ${code}`);
}

/** Of several formats or codes the document describes the headers that all have. */
function assertHeaders({ headers, content }: JsonObject, response: Response): void {
  const isOne = response.status === 200 && Object.keys(content as JsonObject).length === 1;
  for (const [name, header] of Object.entries(at(DOCUMENT, 'components', 'headers'))) {
    const value = response.headers.get(name);
    const { required, schema } = header as JsonObject;
    const isOf = name in (headers as JsonObject);
    assert.ok(value === null ? !(isOf && required) : isOf || !isOne, `${response.url}: ${name}`);
    if (value !== null && at(schema).type === 'integer') assert.match(value, /^\d+$/, name);
  }
}

/** @returns the code of a problem or the media type after a blank, or nothing */
function assertBody(path: string, pointer: readonly string[], response: Response, body: string): string {
  const content = at(DOCUMENT, ...pointer).content;
  if (content === undefined) {
    assert.equal(body, '');
    return '';
  }
  const type = (response.headers.get('content-type') ?? '').replace(/;.*$/, '');
  assert.ok(type in (content as JsonObject), `${response.url} ${response.status} is ${type}`);
  const value = type.endsWith('json') && type !== NDJSON ? JSON.parse(body) : body;
  assertValid([...pointer, 'content', type, 'schema'], value);
  if (type === NDJSON) {
    const schema = LINES[path.replace(/\.\w+$/, '')] ?? 'Observation';
    for (const line of body.trimEnd().split('\n'))
      assertValid(['components', 'schemas', schema], JSON.parse(line));
  }
  if (type !== PROBLEM_TYPE) return ` ${type}`;
  const codes = codesOf(at(DOCUMENT, ...pointer, 'content', type));
  return codes.includes('') ? '' : ` ${value.code}`;
}

function assertValid(pointer: readonly string[], value: unknown): void {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  const validate = ajv.getSchema(`openapi#/${path.join('/')}`) ?? assert.fail(path.join('/'));
  if (!validate(value))
    assert.fail(`${JSON.stringify(validate.errors)}\n${JSON.stringify(value).slice(0, 2000)}`);
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
    ? { additionalProperties: false, ...closed }
    : closed;
}
