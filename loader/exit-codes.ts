import { DAMAGE_EXIT_CODE } from '../clickhouse/recovery/recover-archive.ts';

/** Scripts depend on these codes. The usage text lists them. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'every day of the range that is old enough is done' },
  failed: { code: 1, meaning: 'unexpected error' },
  invalidArguments: {
    code: 2,
    meaning: 'invalid arguments or settings, no source has any of the stations, or remove without --yes',
  },
  daysLeft: {
    code: 3,
    meaning: 'some days are not done, or a list of stations was not sent; run the same command again',
  },
  archiveUnavailable: {
    code: 4,
    meaning: 'ClickHouse is not reachable; run the same command again once it is',
  },
  diskFull: {
    code: 5,
    meaning:
      'the disk of the archive, or of the folder of an export, is full; free some space and run the same command again',
  },
  snapshotRefused: { code: 6, meaning: 'the folder has no usable snapshot; none of its days count' },
  archiveDamaged: {
    code: DAMAGE_EXIT_CODE,
    meaning: 'a part of the archive is damaged; the next start repairs it, so run the same command again',
  },
  interrupted: { code: 130, meaning: 'interrupted' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type ExitReason = keyof typeof EXIT_CODES;
