import { readFile } from 'node:fs/promises';

/** A page written in Markdown. */
export type Guide = {
  /** Its path is `/docs/<name>`. */
  readonly name: string;
  readonly title: string;
  /** The first paragraph. */
  readonly summary: string;
  readonly markdown: string;
};

/** The files of `docs/guide/`, in the order that a newcomer reads them. */
const NAMES = [
  'first-request',
  'walking',
  'asking',
  'hourly',
  'formats',
  'statistics',
  'python',
  'client',
  'coverage',
  'stations',
  'decoded-fields',
  'limits',
  'errors',
  'versioning',
] as const;

const FOLDER = new URL('../../../docs/guide/', import.meta.url);

export function readGuides(): Promise<readonly Guide[]> {
  return Promise.all(
    NAMES.map(async (name) => parseGuide(name, await readFile(new URL(`${name}.md`, FOLDER), 'utf8'))),
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

function parseGuide(name: string, markdown: string): Guide {
  const [title = '', summary = ''] = markdown.replace(/^# /, '').split(/\n\s*\n/);
  return { name, title: withoutMarkup(title), summary: withoutMarkup(summary), markdown };
}

function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replaceAll('\n', ' ');
}
