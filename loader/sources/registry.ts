import { demo } from './demo/demo.ts';
import { iem } from './iem/iem.ts';
import { ncei } from './ncei/ncei.ts';
import { ogimet } from './ogimet.ts';
import type { SourceAdapter } from './source.ts';

/** Every source the loader knows, by the name that `--source` takes. */
export const SOURCE_ADAPTERS = { iem, ogimet, ncei, demo } as const satisfies Record<
  string,
  (host?: string) => SourceAdapter
>;

export type SourceName = keyof typeof SOURCE_ADAPTERS;

export function isSourceName(name: string): name is SourceName {
  return Object.hasOwn(SOURCE_ADAPTERS, name);
}
