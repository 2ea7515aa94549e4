import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const SCHEMES = { light: {}, dark: { runOnly: COLOUR_RULES } };

/**
 * What axe finds on a page, or in a part of it, that is serious or critical, with the elements: in the light by all rules,
 * in the dark by those that colours decide.
 */
export async function seriousFindings(page: Page, part = 'html'): Promise<readonly string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const findings: string[] = [];
  for (const [colorScheme, options] of Object.entries(SCHEMES)) {
    await page.emulateMedia({ colorScheme: colorScheme as 'light' | 'dark' });
    const run = `axe.run(${JSON.stringify(part)}, ${JSON.stringify(options)})`;
    const { violations } = (await page.evaluate(run)) as AxeResults;
    for (const { impact, id, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        findings.push(`${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }
  await page.emulateMedia({ colorScheme: null });
  return findings;
}
