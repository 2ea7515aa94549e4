import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { isLong } from '../long.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The rules that colors decide, and those that the width of the screen decides. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
export const WIDTH_RULES = ['scrollable-region-focusable'];

/**
 * What axe finds on a page, or in a part of it, with the elements.
 *
 * @param rules all where there are none; a long run always takes all
 */
export async function axeFindings(
  page: Page,
  { part = 'html', rules }: { readonly part?: string; readonly rules?: readonly string[] } = {},
): Promise<readonly string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  // A color that is still changing has another contrast than the one that stays.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)).then(() => 0)',
  );
  const options = JSON.stringify(rules === undefined || isLong ? {} : { runOnly: rules });
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(part)}, ${options})`)) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html.slice(0, 100)} ${any[0]?.message ?? ''}`).join(' ')}`,
  );
}
