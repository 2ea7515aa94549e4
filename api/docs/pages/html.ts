import type { Guide } from './guides.ts';
import { escapeHtml, renderMarkdown } from './markdown.ts';

const SERVICE = 'Historical observations';

/** An empty icon: without it, browsers request `/favicon.ico`. */
const NO_ICON = 'data:,';

type Page = {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Elements of `head`. */
  readonly head: string;
  readonly content: string;
};

export function guidePage(guide: Guide, guides: readonly Guide[]): string {
  const path = `/docs/${guide.name}`;
  const head = `<link rel="alternate" type="text/markdown" href="${path}.md">\n<script type="module" src="/assets/examples.js"></script>`;
  return layOut(
    { path, title: guide.title, summary: guide.summary, head, content: renderMarkdown(guide.markdown) },
    guides,
  );
}

/** The reference: Swagger UI fills it from `/openapi.json`. */
export function referencePage(guides: readonly Guide[]): string {
  return layOut(
    {
      path: '/docs',
      title: 'Reference',
      summary: 'Every request, its parameters and its answers.',
      head: '<link rel="stylesheet" href="/assets/swagger-ui.css">\n<link rel="stylesheet" href="/assets/reference.css">\n<script src="/assets/swagger-ui-bundle.js" defer></script>\n<script src="/assets/reference.js" defer></script>',
      content:
        '<h1 class="visually-hidden">Reference</h1>\n<div id="reference"></div>\n<noscript><p>The reference needs JavaScript. <a href="/openapi.json">/openapi.json</a> has the same content.</p></noscript>',
    },
    guides,
  );
}

function layOut({ path, title, summary, head, content }: Page, guides: readonly Guide[]): string {
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
