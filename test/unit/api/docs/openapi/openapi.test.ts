import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../../../api/contract/answers.ts';
import { parametersOf } from '../../../../../api/contract/parameters.ts';
import { buildOpenApi, publishedSchemas } from '../../../../../api/docs/openapi/openapi.ts';
import { OBSERVATIONS } from '../../../../../api/observations/endpoint.ts';
import { DERIVED_FIELDS } from '../../../../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS, type Field } from '../../../../../clickhouse/model/fields.ts';
import { SOURCE_FIELD } from '../../../../../clickhouse/model/named-fields.ts';
import { newFolder } from '../../../../support/test-run.ts';

const CLI = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

/** Problems that the recommended rules of Redocly find in each document. One process of it takes two seconds. */
async function lint(...documents: readonly JsonObject[]): Promise<readonly (readonly string[])[]> {
  const folder = newFolder();
  const files = documents.map((_, n) => `${n}.json`);
  await Promise.all(files.map((file, n) => writeFile(join(folder, file), JSON.stringify(documents[n]))));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [CLI, 'lint', ...files, '--format', 'json'];
  // Exits with 1 where there are errors.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
    (error) => error,
  );
  // One JSON text after another.
  const reports = stdout.slice(stdout.indexOf('{')).split(/(?<=^\})(?=\{)/m) as readonly string[];
  return reports.map((text) => {
    const { problems } = JSON.parse(text) as {
      readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
    };
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  });
}

describe('the OpenAPI document', () => {
  it('has no error and no warning of the linter, which finds those of another document', async () => {
    const [problems, ofBroken = []] = await lint(buildOpenApi(), { ...buildOpenApi(), components: {} });
    assert.deepEqual(problems, []);
    assert.ok(
      ofBroken.some((problem) => problem.startsWith('no-unresolved-refs')),
      ofBroken.join('\n'),
    );
  });

  it('names each status by its number, and all others by `default`: generators refuse ranges such as 4XX', () => {
    const operations = Object.values(buildOpenApi().paths as Readonly<Record<string, JsonObject>>);
    const statuses = operations.flatMap(({ get }) =>
      Object.keys((get as JsonObject).responses as JsonObject),
    );
    assert.ok(statuses.includes('default'));
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => !/^([1-5]\d\d|default)$/.test(status)),
      [],
    );
  });

  it('has every parameter that the service accepts', () => {
    const { paths } = buildOpenApi() as {
      readonly paths: Readonly<Record<string, { readonly get: JsonObject }>>;
    };
    const parameters = paths['/v1/history/observations']?.get.parameters as readonly {
      readonly name: string;
    }[];
    assert.deepEqual(
      parameters.map(({ name }) => name),
      parametersOf(OBSERVATIONS.parameters).map(({ name }) => name),
    );
  });
});

describe('the schema of decoded fields', () => {
  const schema = publishedSchemas()['/schema/decoded.json'] ?? assert.fail();

  it('has every field with its unit', () => {
    const properties = schema.properties as Readonly<Record<string, JsonObject>>;
    for (const { name, unit, meaning } of [
      ...(DECODED_FIELDS as readonly Field[]),
      ...DERIVED_FIELDS,
      SOURCE_FIELD as Field,
    ])
      assert.deepEqual([properties[name]?.description, properties[name]?.['x-unit']], [meaning, unit]);
    assert.equal(Object.keys(properties).length, DECODED_FIELDS.length + DERIVED_FIELDS.length + 1);
  });

  it('is valid JSON Schema and refuses what a report cannot give', () => {
    const ajv = new Ajv2020({ strict: true, keywords: ['x-unit'], allErrors: true });
    const validate = ajv.compile(schema);
    assert.ok(
      validate({ cavok: false, temp_c: '-0.6', wdir: 350, clouds: [{ cover: 'BKN', base_ft: 1200 }] }),
    );
    // Fields that a request has chosen need not hold `cavok`.
    assert.ok(validate({ rh_pct: 60.4, ceiling_ft: 900 }));
    for (const wrong of [
      { ceiling_ft: 900.5 },
      { cavok: 'no' },
      { cavok: true, temp_c: 3 },
      { cavok: true, temp_c: '3.0' },
      { cavok: true, wdir: -1 },
      { cavok: true, wdir_vrb: false },
      { cavok: true, fltcat: 'vfr' },
      { cavok: true, clouds: [{ base_ft: 100 }] },
    ])
      assert.ok(!validate(wrong), JSON.stringify(wrong));
  });

  it('is part of the schema of a record', () => {
    const ajv = new Ajv2020({ strict: true, keywords: ['x-unit'], formats: { 'date-time': true } });
    for (const [path, each] of Object.entries(publishedSchemas())) ajv.addSchema(each, path);
    const validate = ajv.getSchema('/schema/observation.json') ?? assert.fail();
    const record = {
      id: 'a',
      station: 'XAAA',
      observedAt: '2024-01-01T00:53:00Z',
      type: 'METAR',
      parseStatus: 'parsed',
    };
    assert.ok(validate({ ...record, decoded: { cavok: true } }), JSON.stringify(validate.errors));
    assert.ok(!validate({ ...record, decoded: { cavok: 1 } }));
  });
});
