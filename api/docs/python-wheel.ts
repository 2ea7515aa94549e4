import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { type Documents, toDocument } from '../http/response/document.ts';
import { zip } from './zip.ts';

const PYTHON = new URL('../client/python/', import.meta.url);
const PACKAGE = 'historical_observations';

/**
 * The client for Python as a file that `pip install` takes from its URL: a wheel (PEP 427), made of its sources as they
 * are, so that an installation needs no build.
 */
export async function loadPythonWheel(): Promise<Documents> {
  const project = await readFile(new URL('pyproject.toml', PYTHON), 'utf8');
  const readme = await readFile(new URL('README.md', PYTHON), 'utf8');
  const setting = (name: string) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(project)?.[1] ?? '';
  const version = setting('version');
  const names = (await readdir(new URL(`${PACKAGE}/`, PYTHON))).filter((name) => /\.(py|typed)$/.test(name));
  const sources = names
    .sort()
    .map(
      async (name) => [`${PACKAGE}/${name}`, await readFile(new URL(`${PACKAGE}/${name}`, PYTHON))] as const,
    );
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${setting('name')}`,
    `Version: ${version}`,
    `Summary: ${setting('description')}`,
    `Requires-Python: ${setting('requires-python')}`,
    'License: MIT',
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ];
  const wheel = [
    'Wheel-Version: 1.0',
    'Generator: historical-observations',
    'Root-Is-Purelib: true',
    'Tag: py3-none-any',
    '',
  ];
  const info = `${PACKAGE}-${version}.dist-info`;
  const files = [
    ...(await Promise.all(sources)),
    [`${info}/METADATA`, Buffer.from(metadata.join('\n'))] as const,
    [`${info}/WHEEL`, Buffer.from(wheel.join('\n'))] as const,
  ];
  const record = [...files.map(([name, bytes]) => recordLine(name, bytes)), `${info}/RECORD,,`, ''];
  const content = zip([...files, [`${info}/RECORD`, Buffer.from(record.join('\n'))]]);
  return { [`/client/python/${PACKAGE}-${version}-py3-none-any.whl`]: toDocument(content, 'whl') };
}

function recordLine(name: string, bytes: Buffer): string {
  return `${name},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`;
}
