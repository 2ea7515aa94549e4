import { Marked } from 'marked';

/**
 * Links between the guides are relative in the repository, so that they work there too. The service uses absolute paths
 * (D36): `limits.md#plans` is `/docs/limits#plans` in a page and `/docs/limits.md#plans` in Markdown.
 */
export function withAbsoluteLinks(markdown: string, extension: '' | '.md'): string {
  return markdown.replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, `](/docs/$1${extension}$2)`);
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // A keyboard can scroll only focusable elements.
    code({ text, lang = '' }) {
      return `<pre tabindex="0"><code class="language-${lang}">${escapeHtml(text)}</code></pre>\n`;
    },
  },
  hooks: {
    postprocess: (html) =>
      html
        .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
        .replaceAll('</table>', '</table></div>'),
  },
});

export function renderMarkdown(markdown: string): string {
  return marked.parse(withAbsoluteLinks(markdown, ''), { async: false });
}

/** `When a day is done` is `when-a-day-is-done`, as on GitHub. */
function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(/\s+/g, '-');
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
