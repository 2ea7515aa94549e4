import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Documents, readDocument, type StaticDocument, toDocument } from '../http/response/document.ts';
import { landOutline } from './land-outline.ts';

/** The modules of the page, and the client that it uses as everybody can, by the paths of their files. */
const ASSETS = {
  explorer: new URL('assets/', import.meta.url),
  client: new URL('../client/', import.meta.url),
};

/** The page never has the key itself: it says where people find one. */
const KEY_HINTS = {
  demo:
    'The output of <code>npm start</code> has a demo key in the line that begins with <code>curl</code>, and a link that ' +
    'opens this page with it. Where it has none, create a key: <code>npm run keys -- create --plan starter</code>.',
  operator: 'The operator of this service gives you a key.',
};

/** The page at `/` and what it consists of, by their paths. */
export async function loadExplorerDocuments(keyHint: keyof typeof KEY_HINTS): Promise<Documents> {
  const page = await readFile(new URL('page.html', import.meta.url), 'utf8');
  return {
    '/': toDocument(page.replace('<!-- key-hint -->', KEY_HINTS[keyHint]), 'html'),
    ...(await loadAssets('explorer')),
    ...(await loadAssets('client')),
    '/assets/uplot/uPlot.esm.js': await readDocument(fileOfPackage('uplot/dist/uPlot.esm.js')),
    '/assets/uplot/uPlot.min.css': await readDocument(fileOfPackage('uplot/dist/uPlot.min.css')),
    '/assets/land.svg': toDocument(
      landOutline(await readFile(fileOfPackage('world-atlas/land-110m.json'), 'utf8')),
      'svg',
    ),
  };
}

async function loadAssets(folder: keyof typeof ASSETS): Promise<Documents> {
  const names = await readdir(ASSETS[folder], { recursive: true });
  const files = names.filter((name) => /\.(js|css|svg)$/.test(name));
  const documents = files.map(
    async (name): Promise<[string, StaticDocument]> => [
      `/assets/${folder}/${name}`,
      await readDocument(new URL(name, ASSETS[folder])),
    ],
  );
  return Object.fromEntries(await Promise.all(documents));
}

function fileOfPackage(path: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(path));
}
