import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const FOLDERS = ['docs', 'explorer'].map(
  (name) => new URL(`../../../../api/${name}/assets/`, import.meta.url),
);

/** The text of each style sheet of the service's own. */
const SHEETS = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')),
);

/** The scripts of the page and of the client, which it uses. */
const SCRIPTS = ['docs/assets/', 'explorer/assets/', 'client/'].flatMap((name) => {
  const folder = new URL(`../../../../api/${name}`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.match(/\.[jt]s$/))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
});

describe('scripts and styles', () => {
  it('need nothing that Firefox ESR 115 does not know', () => {
    const newer = [
      ...[
        /\b(Object|Map)\.groupBy\(/,
        /Promise\.(withResolvers|try)\b/,
        /AbortSignal\.any\b/,
        /\bIterator\./,
      ],
      ...[
        /\.(union|intersection|difference|isSubsetOf)\(/,
        /\bpopover\b|(show|toggle)Popover/,
        /\/[gimsuy]*v[gimsuy]*[,;)]/,
      ],
      ...[/startViewTransition/, /\bURL\.parse\(/, /Array\.fromAsync/, /\.(checkVisibility|getHTML)\(/],
    ];
    assert.ok(SCRIPTS.length > 25);
    for (const script of SCRIPTS) for (const each of newer) assert.doesNotMatch(script, each);
    // A rule within @supports names what takes the place of the one that is not understood.
    assert.ok(SHEETS.length >= 5);
    for (const sheet of SHEETS) {
      assert.doesNotMatch(
        sheet,
        /light-dark\(|@(property|scope|starting-style|view-transition)|:popover-open|anchor-name|\{[^{}]*&/,
      );
      if (sheet.includes(':has(')) assert.match(sheet, /@supports not selector\(:has\(/);
    }
  });
});

describe('colors of the page and the documents', () => {
  it('are given for light and dark together, each in a form that every browser reads', () => {
    const colors = SHEETS.flatMap((sheet) => sheet.match(/var\(--(?:light|dark), [^;}]*/g) ?? []);
    assert.ok(colors.length > 30, `${colors.length} colors`);
    const color = String.raw`(?:#[\da-f]{3,6}|rgb\([\d /%]+\))`;
    for (const each of colors)
      assert.match(each, new RegExp(`^var\\(--light, ${color}\\) var\\(--dark, ${color}\\)$`));
  });
});
