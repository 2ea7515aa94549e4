import assert from 'node:assert/strict';
import { loadDocuments } from '../../../../api/docs/documents.ts';
import type { Documents } from '../../../../api/http/documents.ts';
import { PROBLEMS, type ProblemCode, problemType } from '../../../../api/problem.ts';

describe('documents of the service (D36)', () => {
  let documents: Documents;
  before(async () => {
    documents = await loadDocuments();
  });

  const textOf = (path: string) => documents[path]?.body.toString() ?? assert.fail(`no ${path}`);
  const ofType = (type: string) =>
    Object.keys(documents).filter((path) => documents[path]?.contentType.startsWith(type));

  /** The page at `/` is no document of this folder, and neither are the paths of the API. */
  const isServed = (target: string) => target === '/' || target.replace(/#.*/, '') in documents;

  it('link to each other by absolute paths, and to anchors that exist', () => {
    const pages = ofType('text/html');
    assert.ok(pages.length > 20);
    for (const page of pages) {
      const targets = [...textOf(page).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => target);
      for (const target of targets.filter((each) => each !== 'data:,' && each !== '#content')) {
        assert.ok(isServed(target), `${page} links to ${target}`);
        const [path = '', anchor] = target.split('#');
        if (anchor !== undefined)
          assert.ok(textOf(path).includes(`id="${anchor}"`), `${page} links to ${target}`);
      }
    }
  });

  it('begin with a sentence that says what they are about', () => {
    const lines = textOf('/llms.txt').split('\n');
    const summaries = lines
      .filter((line) => line.includes('/docs/'))
      .map((line) => line.replace(/^.*?\): /, ''));
    assert.ok(summaries.length > 10);
    for (const summary of summaries) assert.match(summary, /^[A-Z`].*\.$/);
  });

  it('link to each other in Markdown and in llms.txt too', () => {
    for (const path of [...ofType('text/markdown'), '/llms.txt']) {
      const targets = [...textOf(path).matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target);
      for (const target of targets) {
        // The service puts the reader's address in place of this one.
        const local = target.replace('http://127.0.0.1:8080/', '/');
        assert.ok(isServed(local), `${path} links to ${target}`);
      }
    }
    assert.match(
      textOf('/llms.txt'),
      /^# .+\n\n> .+\n[\s\S]+\n## Guides\n\n- \[.+\]\(http:\/\/127\.0\.0\.1:8080\/docs\/first-request\.md\): .+/,
    );
  });

  it('load nothing from another host and have no script or style inside the markup', () => {
    for (const page of ofType('text/html'))
      assert.doesNotMatch(
        textOf(page),
        /(?:href|src)="(?:https?:)?\/\/|<script>|<style|\son\w+=|\sstyle=/,
        page,
      );
  });

  it('have a page about each error, as Markdown too, and it is the type of the problem', () => {
    for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
      const [status] = PROBLEMS[code];
      assert.match(textOf(problemType(code)), new RegExp(`<h1 id="${code}">`));
      assert.match(textOf(`${problemType(code)}.md`), new RegExp(`^# \`${code}\`\n\nStatus ${status}\\.`));
    }
  });

  it('have a title and a summary of their own', () => {
    const pages = ofType('text/html').map(textOf);
    for (const pattern of [/<title>([^<]+)/, /name="description" content="([^"]+)/]) {
      const texts = pages.map((page) => pattern.exec(page)?.[1]);
      assert.equal(new Set(texts).size, pages.length);
    }
  });
});
