import { demo } from './demo/demo.ts';
import { iem } from './iem/iem.ts';
import { ncei } from './ncei/ncei.ts';
import { ogimet } from './ogimet.ts';
import type { SourceAdapter } from './source.ts';

/**
 * The sources of `--source`, by name. To add one: write its adapter (see `source.ts`) in a file or folder here, add its
 * name to `Source` in clickhouse/model/report.ts with its rank (D4), and add a line to this table.
 */
export const SOURCE_ADAPTERS = { iem, ogimet, ncei, demo } as const satisfies Record<
  string,
  (host?: string) => SourceAdapter
>;

export type SourceName = keyof typeof SOURCE_ADAPTERS;

export const SOURCE_NAMES = Object.keys(SOURCE_ADAPTERS) as readonly SourceName[];

export function isSourceName(name: string): name is SourceName {
  return Object.hasOwn(SOURCE_ADAPTERS, name);
}
