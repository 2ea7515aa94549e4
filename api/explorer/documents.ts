import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Documents, readDocument, readDocuments, StaticDocument } from '../http/documents.ts';

/** The page never contains the key itself: it says where to find one. */
const KEY_HINTS = {
  demo:
    'While the archive holds nothing but demo reports, the output of <code>npm start</code> has a link that opens this page ' +
    'with a demo key. Otherwise create a key: <code>npm run keys -- create --plan starter</code>.',
  operator: 'The operator of this service gives you a key',
};

type Options = {
  readonly demo: boolean;
  readonly guestPlan: string | undefined;
  /** The address of a link. */
  readonly contact: string | undefined;
};

/** The page at `/` and its parts, by path. */
export async function loadExplorerDocuments({ demo, guestPlan = '', contact }: Options): Promise<Documents> {
  const page = await readFile(new URL('page.html', import.meta.url), 'utf8');
  const keyHint = demo ? KEY_HINTS.demo : `${KEY_HINTS.operator}${contact ? `: ${linkTo(contact)}` : ''}.`;
  return {
    '/': new StaticDocument(
      page.replace('<!-- key-hint -->', () => keyHint).replace('<!-- guests -->', guestPlan),
      'html',
    ),
    ...(await readDocuments('/assets/explorer', new URL('assets/', import.meta.url))),
    // The public client, which the page uses.
    ...(await readDocuments('/assets/client', new URL('../client/', import.meta.url))),
    // Each package has all its modules in one file, which a browser runs as is.
    '/assets/htm/preact.js': await readDocument(besideModule('htm/preact', 'standalone.module.js')),
    '/assets/d3/d3.min.js': await readDocument(besideModule('d3', 'd3.min.js')),
    '/assets/suncalc/index.js': await readDocument(besideModule('suncalc', 'index.js')),
  };
}

/** The address has no other character of HTML: those of a URL are encoded. */
function linkTo(address: string): string {
  const text = address.replaceAll('&', '&amp;');
  return `<a href="${text}">${text.replace(/^mailto:/, '')}</a>`;
}

/** A file in the folder of a package's module: packages export few of their files by name. */
function besideModule(module: string, file: string): URL {
  return new URL(file, pathToFileURL(createRequire(import.meta.url).resolve(module)));
}
