import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Documents, readDocument, readDocuments, StaticDocument } from '../http/documents.ts';
import { SERVICE_LINKS } from '../http/headers.ts';
import { clientTypes } from './client-types.ts';
import { buildOpenApi, publishedSchemas } from './openapi/openapi.ts';
import {
  errorPages,
  type Guide,
  guidePage,
  llmsText,
  readGuides,
  referencePage,
  withAbsoluteLinks,
} from './pages.ts';

const client = (path: string) => new URL(`../client/${path}`, import.meta.url);

/** Every document of the API by its path. Guides are Markdown files; the rest comes from the code (D36). */
export async function loadDocuments(): Promise<Documents> {
  const guides = await readGuides();
  const pages = [...guides, ...errorPages(guides)];
  const links = { Link: SERVICE_LINKS };
  const { resolve } = createRequire(import.meta.url);
  const swaggerUi = (name: string) => readDocument(pathToFileURL(resolve(`swagger-ui-dist/${name}`)));
  return {
    '/openapi.json': new StaticDocument(JSON.stringify(buildOpenApi()), 'json'),
    ...Object.fromEntries(
      Object.entries(publishedSchemas()).map(([path, schema]) => [
        path,
        new StaticDocument(JSON.stringify(schema), 'schema'),
      ]),
    ),
    '/llms.txt': new StaticDocument(llmsText(guides), 'txt', links),
    '/docs': new StaticDocument(referencePage(guides), 'html', links),
    ...Object.fromEntries(pages.flatMap((page) => formsOf(page, guides))),
    ...(await readDocuments('/client', client(''), /\.(js|ts)$/)),
    ...(await readDocuments('/client/python', client('python/'), /\.(py|ipynb)$/)),
    ...(await readDocuments('/client/r', client('r/'), /\.R$/)),
    // TypeScript finds the types of a script by its name.
    '/client/observations.d.ts': await readDocument(client('client.d.ts')),
    '/client/schemas.d.ts': new StaticDocument(clientTypes(), 'ts'),
    ...(await readDocuments('/assets', new URL('assets/', import.meta.url), /\.(js|css)$/)),
    '/assets/swagger-ui.css': await swaggerUi('swagger-ui.css'),
    '/assets/swagger-ui-bundle.js': await swaggerUi('swagger-ui-bundle.js'),
  };
}

function formsOf(page: Guide, guides: readonly Guide[]) {
  return [
    [`/docs/${page.name}`, new StaticDocument(guidePage(page, guides), 'html', { Link: SERVICE_LINKS })],
    [`/docs/${page.name}.md`, new StaticDocument(withAbsoluteLinks(page.markdown, '.md'), 'md')],
  ] as const;
}
