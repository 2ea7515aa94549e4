/** Requests per second of one key (section 8 of the specification). */
export const PLANS = { sandbox: 1, starter: 10, professional: 100 } as const;
export type Plan = keyof typeof PLANS;

/** Requests per second of one client address, for requests without a valid key (D29). */
export const ANONYMOUS_PER_SECOND = 10;

export function isPlan(name: string | undefined): name is Plan {
  return name !== undefined && Object.hasOwn(PLANS, name);
}
