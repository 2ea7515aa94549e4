import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Documents, readDocument, readDocuments, StaticDocument } from '../http/documents.ts';
import { SERVICE_LINKS } from '../http/headers.ts';
import { clientTypes } from './client-types.ts';
import { buildOpenApi, publishedSchemas } from './openapi/openapi.ts';
import { errorPages, guidePage, llmsText, readGuides, referencePage, withAbsoluteLinks } from './pages.ts';

const client = (path: string) => new URL(`../client/${path}`, import.meta.url);

/** Every document of the API by its path. Guides are Markdown files; the rest comes from the code (D36). */
export async function loadDocuments(): Promise<Documents> {
  const guides = await readGuides();
  const links = { Link: SERVICE_LINKS };
  const { resolve } = createRequire(import.meta.url);
  const swaggerUi = (name: string) => readDocument(pathToFileURL(resolve(`swagger-ui-dist/${name}`)));
  const documents: Record<string, StaticDocument> = {
    '/openapi.json': new StaticDocument(JSON.stringify(buildOpenApi()), 'json'),
    '/llms.txt': new StaticDocument(llmsText(guides), 'txt', links),
    '/docs': new StaticDocument(referencePage(guides), 'html', links),
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
  for (const [path, schema] of Object.entries(publishedSchemas()))
    documents[path] = new StaticDocument(JSON.stringify(schema), 'schema');
  for (const page of [...guides, ...errorPages(guides)]) {
    const path = `/docs/${page.name}`;
    documents[path] = new StaticDocument(guidePage(page, guides), 'html', links);
    documents[`${path}.md`] = new StaticDocument(withAbsoluteLinks(page.markdown, '.md'), 'md');
  }
  return documents;
}
