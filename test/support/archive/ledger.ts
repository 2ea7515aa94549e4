import type { Archive } from '../../../clickhouse/archive.ts';
import { newRun, recordSlices, type SliceRecord } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { type Listing, recordListings } from '../../../clickhouse/coverage/station-listings.ts';
import { type Day, parseDay } from '../../../clickhouse/model/day.ts';

export function day(text: string): Day {
  const parsed = parseDay(text);
  if (parsed === undefined) throw new Error(`${text} is not a day`);
  return parsed;
}

/** That iem has loaded `[firstDay, endDay)` of XAAA, unless `more` says otherwise. */
export function sliceRecord(firstDay: string, endDay: string, more: Partial<SliceRecord> = {}): SliceRecord {
  return {
    source: 'iem',
    station: 'XAAA',
    firstDay: day(firstDay),
    doneDay: day(endDay),
    endDay: day(endDay),
    reports: 0,
    inserted: 0,
    skipped: {},
    run: newRun(),
    reportsByDay: [],
    ...more,
  };
}

/** Records a slice in the ledger. */
export async function recordDone(
  client: Archive,
  firstDay: string,
  endDay: string,
  more: Partial<SliceRecord> = {},
): Promise<void> {
  await recordSlices(client, [sliceRecord(firstDay, endDay, more)]);
}

/** A listing of XAAA by iem, unless it says otherwise. */
export type TestListing = Partial<Listing>;

/** Lists stations as of today. */
export async function list(client: Archive, ...listings: readonly TestListing[]): Promise<void> {
  await recordListings(client, listings.map(listing));
}

/** Lists stations as of an earlier day. */
export async function listAt(
  client: Archive,
  listedDay: string,
  ...listings: readonly TestListing[]
): Promise<void> {
  await client.insert({
    table: 'stations',
    rows: listings.map((each) => ({ ...listing(each), listedAt: `${listedDay} 12:00:00.000` })),
  });
}

function listing(given: TestListing): Listing {
  return { source: 'iem', station: 'XAAA', ...given };
}
