/** Why an engine process ended before it served, as its exit code. */
export const exitCodes = { libraryMissing: 70, directoryNotOpened: 71, portTaken: 72 } as const;

export type ExitReason = keyof typeof exitCodes;

export function exitReason(code: number | null): ExitReason | undefined {
  return (Object.keys(exitCodes) as ExitReason[]).find((reason) => exitCodes[reason] === code);
}
