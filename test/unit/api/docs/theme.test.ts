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

describe('colors of the page and the documents', () => {
  it('need no light-dark(), which Firefox ESR 115 does not know', () => {
    assert.ok(SHEETS.length >= 5);
    // A custom property has no fallback: the last declaration counts, even where its value is not understood.
    for (const sheet of SHEETS) assert.doesNotMatch(sheet, /light-dark\(/);
  });

  it('are given for light and dark together, each in a form that every browser reads', () => {
    const colors = SHEETS.flatMap((sheet) => sheet.match(/var\(--(?:light|dark), [^;}]*/g) ?? []);
    assert.ok(colors.length > 30, `${colors.length} colors`);
    const color = String.raw`(?:#[\da-f]{3,6}|rgb\([\d /%]+\))`;
    for (const each of colors)
      assert.match(each, new RegExp(`^var\\(--light, ${color}\\) var\\(--dark, ${color}\\)$`));
  });
});
