import { readFile } from 'node:fs/promises';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { ADDRESS, escapeHtml } from '../http/documents.ts';

type Guide = ReturnType<typeof parseGuide>;

/** The files of `docs/guide/` in the order in which a newcomer reads them: asking, computing, programming, looking up. */
const NAMES = [
  ...['first-request', 'walking', 'asking', 'hourly', 'formats', 'files'],
  ...['days', 'statistics', 'published'],
  ...['python', 'r', 'client'],
  ...['coverage', 'stations', 'decoded-fields', 'limits', 'errors', 'versioning'],
];

const GUIDES_FOLDER = new URL('../../docs/guide/', import.meta.url);

export function readGuides(): Promise<readonly Guide[]> {
  return Promise.all(
    NAMES.map(async (name) => parseGuide(name, await readFile(new URL(`${name}.md`, GUIDES_FOLDER), 'utf8'))),
  );
}

/** One page for each section of the error guide whose heading is a code: problems link to it. */
export function errorPages(guides: readonly Guide[]): readonly Guide[] {
  const errors = guides.find(({ name }) => name === 'errors');
  const sections = errors?.markdown.split(/^## /m).slice(1) ?? [];
  return sections.map((section) => {
    const [, code = ''] = /^`(\w+)`/.exec(section) ?? [];
    const more = '\n## More\n\n[All errors](errors.md)\n';
    return parseGuide(`errors/${code}`, `# ${section.trimEnd()}\n${more}`);
  });
}

/** A guide with its title, and its first paragraph as the summary. */
function parseGuide(name: string, markdown: string) {
  const [title = '', summary = ''] = markdown.replace(/^# /, '').split(/\n\s*\n/);
  return { name, title: withoutMarkup(title), summary: withoutMarkup(summary), markdown };
}

function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll('\n', ' ');
}

/** The link `limits.md#plans` becomes `/docs/limits#plans` in a page (extension `''`) and `/docs/limits.md#plans` in Markdown. */
export function withAbsoluteLinks(markdown: string, extension: '' | '.md'): string {
  return markdown.replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, `](/docs/$1${extension}$2)`);
}

const marked = new Marked(gfmHeadingId(), {
  renderer: {
    // A keyboard can scroll only focusable elements.
    code({ text, lang = '' }) {
      return `<pre tabindex="0"><code class="language-${lang}">${escapeHtml(text)}</code></pre>\n`;
    },
  },
  hooks: {
    postprocess: (html) =>
      html
        .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
        .replaceAll('</table>', '</table></div>'),
  },
});

const SERVICE = 'Historical observations';

/** An empty icon: without it, browsers request `/favicon.ico`. */
const NO_ICON = 'data:,';

type DocumentPage = Readonly<Record<'path' | 'title' | 'summary' | 'head' | 'content', string>>;

export function guidePage(guide: Guide, guides: readonly Guide[]): string {
  const path = `/docs/${guide.name}`;
  const head = `<link rel="alternate" type="text/markdown" href="${path}.md">\n<script type="module" src="/assets/examples.js"></script>`;
  const content = marked.parse(withAbsoluteLinks(guide.markdown, ''), { async: false });
  return layOut(guides, { path, title: guide.title, summary: guide.summary, head, content });
}

export function referencePage(guides: readonly Guide[]): string {
  return layOut(guides, {
    path: '/docs',
    title: 'Reference',
    summary: 'Every request, its parameters and its answers.',
    head: '<link rel="stylesheet" href="/assets/swagger-ui.css">\n<link rel="stylesheet" href="/assets/reference.css">\n<script src="/assets/swagger-ui-bundle.js" defer></script>\n<script src="/assets/reference.js" defer></script>',
    content:
      '<div id="reference"><p>Loading the reference, which takes some seconds.</p></div>\n<noscript><h1>Reference</h1><p>The reference needs JavaScript. <a href="/openapi.json">/openapi.json</a> has the same content.</p></noscript>',
  });
}

function layOut(guides: readonly Guide[], { path, title, summary, head, content }: DocumentPage): string {
  const entries = [{ path: '/docs', title: 'Reference' }].concat(
    guides.map((guide) => ({ path: `/docs/${guide.name}`, title: guide.title })),
  );
  const links = entries.map((entry) => {
    const current = entry.path === path ? ' aria-current="page"' : '';
    return `<li><a href="${entry.path}"${current}>${escapeHtml(entry.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${SERVICE}</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="${NO_ICON}">
<link rel="service-desc" href="/openapi.json">
<link rel="stylesheet" href="/assets/theme.css">
<link rel="stylesheet" href="/assets/docs.css">
<script src="/assets/color-scheme.js"></script>
${head}
</head>
<body>
<a class="skip-link" href="#content">Skip to the content</a>
<header class="site-header">
<strong><a href="/">${SERVICE}</a></strong>
<nav aria-label="Site"><a href="/docs/first-request">Docs</a> <a href="/docs">API</a> <a href="${path}#documents" class="narrow">All documents</a>
<button type="button" class="color-switch" aria-label="Switch between light and dark" title="Light or dark"></button></nav>
</header>
<div class="documents">
<main id="content" tabindex="-1">
${content}
</main>
<nav id="documents" aria-label="Documents"><ul>
${links.join('\n')}
</ul></nav>
</div>
</body>
</html>
`;
}

/** `/llms.txt` in the format of llmstxt.org: what the service is, and where its documents are. */
export function llmsText(guides: readonly Guide[]): string {
  const entries = guides.map(
    ({ name, title, summary }) => `- [${title}](${ADDRESS}/docs/${name}.md): ${summary}`,
  );
  return `# Historical observations

> A read-only HTTP interface to archived METAR and SPECI weather reports of aerodromes, from 2005-01-01 on.

Requests of the archive need an API key in the header \`Authorization: Bearer <API_KEY>\`. The documents need none.

## Guides

${entries.join('\n')}

## Reference

- [OpenAPI 3.1](${ADDRESS}/openapi.json): every path, parameter, field and error
- [Schema of a record](${ADDRESS}/schema/observation.json): JSON Schema of the elements of \`data\`
- [Schema of decoded fields](${ADDRESS}/schema/decoded.json): JSON Schema of \`decoded\` with the unit of each field
`;
}
