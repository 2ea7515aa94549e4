/** Standard offsets of the zones of the random reports, in seconds. */
const STANDARD: Readonly<Record<string, number>> = {
  'America/New_York': -18_000,
  'Asia/Kolkata': 19_800,
  'Asia/Kathmandu': 20_700,
  'Australia/Lord_Howe': 37_800,
  'Europe/London': 0,
};

export function standardShift(zone: string): number {
  return STANDARD[zone] ?? Number.NaN;
}
