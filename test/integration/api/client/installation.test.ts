import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as implementation from '../../../../api/client/observations.js';
import { newFolder } from '../../../support/test-run.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const CLIENT = join(ROOT, 'api/client');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

const PROGRAM = `
import { observations, ProblemError, TransportError } from 'historical-observations-client';
const options = { baseUrl: 'http://127.0.0.1:1', apiKey: '', stations: ['XAAA'], from: '', to: '', maxRetries: 0 };
try {
  for await (const record of observations(options)) console.log(record.id);
} catch (error) {
  console.log(error instanceof TransportError, error instanceof ProblemError);
}
`;

/** Each expected error proves that the type is not \`any\`. */
const TYPED_PROGRAM = `
import { observations, ProblemError, type Observation, type Walk } from 'historical-observations-client';
const options = { baseUrl: new URL('http://127.0.0.1'), apiKey: '', stations: ['XAAA'], from: '', to: new Date() };
const walk: Walk = observations({ ...options, include: ['raw', 'decoded'], signal: AbortSignal.timeout(1) });
for await (const record of walk) {
  const temperature: string | undefined = record.decoded?.temp_c;
  const wind: number | undefined = record.decoded?.wspd_kt;
  const cavok: boolean | undefined = record.decoded?.cavok;
  const type: 'METAR' | 'SPECI' = record.type;
  console.log(temperature, wind, cavok, type, walk.coverage?.stations[0]?.yearsDone);
  // @ts-expect-error temperatures are text, so that they keep their decimals
  const wrong: number | undefined = record.decoded?.temp_c;
  // @ts-expect-error only where it is requested
  const raw: string = record.raw;
  // @ts-expect-error there is no such field
  record.decoded?.temperature;
}
for await (const { data, meta } of walk.pages()) {
  const records: readonly Observation[] = data;
  const next: string | undefined = meta.nextCursor;
  console.log(records, next);
}
// @ts-expect-error not a representation
observations({ ...options, include: ['everything'] });
// @ts-expect-error a required option is missing
observations({ baseUrl: '', stations: [] });
export const isRefused = (error: ProblemError) => error.code === 'invalid_credentials';
// @ts-expect-error the codes are a closed table
export const isTeapot = (error: ProblemError) => error.code === 'teapot';
`;

describe('package of the client', () => {
  const folder = newFolder();

  it('works in plain Node and has types, packed by npm', async () => {
    const project = join(folder, 'packed');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: CLIENT });
    const [{ filename, version, files }] = JSON.parse(stdout) as [
      { filename: string; version: string; files: readonly { path: string }[] },
    ];
    assert.equal(version, JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version);
    assert.deepEqual(files.map(({ path }) => path).sort(), [
      ...['README.md', 'client.d.ts', 'observations.js', 'package.json', 'request.js', 'schemas.d.ts'],
    ]);
    // Installed as a folder, it is a link to the same files.
    await run('npm', ['install', '--offline', '--no-audit', join(folder, filename)], { cwd: project });
    await writeFile(join(project, 'program.mjs'), PROGRAM);
    const { stdout: printed } = await run(process.execPath, ['program.mjs'], { cwd: project });
    assert.equal(printed, 'true false\n');
    await writeFile(join(project, 'program.ts'), TYPED_PROGRAM);
    // The types need nothing but those of the platform: here a browser's.
    const options = '--strict --noEmit --target es2023 --lib es2023,dom --module nodenext --types'.split(' ');
    await run(process.execPath, [TSC, ...options, '', 'program.ts'], { cwd: project }).catch(
      ({ stdout: errors }) => assert.fail(errors),
    );
  });

  it('exports what its declarations declare', () => {
    // The compiler compares the types of the code with the declarations.
    const declared: typeof import('../../../../api/client/client.d.ts') = implementation;
    const names = 'ProblemError TransportError daily hourly monthly normals observations request statistics';
    assert.deepEqual(Object.keys(declared).sort(), names.split(' '));
  });
});
