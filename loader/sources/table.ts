import { demo } from './demo.ts';
import { iem } from './iem.ts';
import { ncei } from './ncei.ts';
import { ogimet } from './ogimet.ts';
import type { Origin } from './origin.ts';

/** Every source the loader knows, by the name that `--source` takes. */
export const ORIGINS = { iem, ogimet, ncei, demo } as const satisfies Record<
  string,
  (host?: string) => Origin
>;

export type OriginName = keyof typeof ORIGINS;

export function isOriginName(name: string): name is OriginName {
  return Object.hasOwn(ORIGINS, name);
}
