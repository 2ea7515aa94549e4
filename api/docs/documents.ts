import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { SERVICE_LINKS } from '../http/headers.ts';
import { type Documents, readDocument, toDocument } from '../http/response/documents.ts';
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

const PYTHON_CLIENT = new URL('../client/python/historical_observations.py', import.meta.url);

/** Every document of the API by its path. Guides are Markdown files; the rest comes from the code (D36). */
export async function loadDocuments(): Promise<Documents> {
  const guides = await readGuides();
  const pages = [...guides, ...errorPages(guides)];
  const links = { Link: SERVICE_LINKS };
  return {
    '/openapi.json': toDocument(JSON.stringify(buildOpenApi()), 'json'),
    ...Object.fromEntries(
      Object.entries(publishedSchemas()).map(([path, schema]) => [
        path,
        toDocument(JSON.stringify(schema), 'schema'),
      ]),
    ),
    '/llms.txt': toDocument(llmsText(guides), 'txt', links),
    '/docs': toDocument(referencePage(guides), 'html', links),
    ...Object.fromEntries(pages.flatMap((page) => formsOf(page, guides))),
    '/client/python/historical_observations.py': await readDocument(PYTHON_CLIENT),
    ...(await readAssets()),
  };
}

/** A guide as a page and as Markdown. */
function formsOf(page: Guide, guides: readonly Guide[]) {
  return [
    [`/docs/${page.name}`, toDocument(guidePage(page, guides), 'html', { Link: SERVICE_LINKS })],
    [`/docs/${page.name}.md`, toDocument(withAbsoluteLinks(page.markdown, '.md'), 'md')],
  ] as const;
}

async function readAssets(): Promise<Documents> {
  const { resolve } = createRequire(import.meta.url);
  const own = (name: string) => readDocument(new URL(`assets/${name}`, import.meta.url));
  const swaggerUi = (name: string) => readDocument(pathToFileURL(resolve(`swagger-ui-dist/${name}`)));
  return {
    '/assets/theme.css': await own('theme.css'),
    '/assets/color-scheme.js': await own('color-scheme.js'),
    '/assets/docs.css': await own('docs.css'),
    '/assets/examples.js': await own('examples.js'),
    '/assets/reference.css': await own('reference.css'),
    '/assets/reference.js': await own('reference.js'),
    '/assets/swagger-ui.css': await swaggerUi('swagger-ui.css'),
    '/assets/swagger-ui-bundle.js': await swaggerUi('swagger-ui-bundle.js'),
  };
}
