import type { Archive } from '../../archive.ts';
import type { Condition } from '../../conditions/condition.ts';
import { POINT_READ, selectRows } from '../../statements/select.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import { andMeets, bindSelection, type PageRequest, type RowRange, selectedRows } from '../selection.ts';
import { isAllOf, restAfter, Windows } from '../windows.ts';
import type { StreamRange, StreamRequest } from './stream-range.ts';

/** How many rows a part should hold, and with a condition how many matching rows, unless one minute has more. */
export type PartRows = { readonly first: number; readonly next: number; readonly matches: number };

/** The parts of a range, in order, each read by one statement. Each begins where the previous one ends. */
export function* partsOf(
  request: StreamRequest,
  { window, last }: StreamRange,
  { first, next }: Pick<PartRows, 'first' | 'next'>,
): Generator<RowRange, undefined> {
  const { after, isDescending, states } = request;
  const windows = new Windows(states, request);
  for (let rest = window; ; ) {
    const isFirst = rest === window;
    const part = windows.first(rest, isFirst ? first : next);
    const isLast = isAllOf(rest, part);
    yield { window: part, ...(isFirst && { after }), ...(isLast && { last }) };
    if (isLast) return;
    rest = restAfter(rest, part, isDescending);
  }
}

const MATCHES = readStatement('observations/matches');

/** Rows that one statement checks to count the matches in each slot. */
const JUDGED_ROWS = { first: 400_000, next: 2_500_000 };
const SLOTS = 64;

/** Concurrent statements that check rows, each on one thread. */
const JUDGING = 2;

/**
 * The parts of a range with records that can meet the condition. Matching rows, not checked rows, bound a part, because
 * the statement that reads it keeps their keys in memory. It yields at least one part, so that a format is printed.
 */
export async function* matchingParts(
  archive: Archive,
  request: StreamRequest & { readonly condition: Condition },
  range: StreamRange,
  rows: PartRows,
): AsyncGenerator<RowRange, undefined> {
  const { window, last, rows: matches = Number.POSITIVE_INFINITY } = range;
  if (matches <= rows.matches) {
    yield { window, after: request.after, last, isSparse: true };
    return;
  }
  const parts = partsOf(request, range, JUDGED_ROWS);
  function* judgements() {
    for (const part of parts) yield countMatches(archive, request, part).then((slots) => ({ part, slots }));
  }
  let isEmpty = true;
  for await (const { part, slots } of runAhead(judgements(), JUDGING))
    for (const { window, matches } of joinSlots(slots, rows.matches)) {
      isEmpty = false;
      if (matches <= rows.matches) yield { ...part, window, isSparse: true };
      else yield* partsOf(request, { ...part, window }, rows);
    }
  if (isEmpty) yield { window: { from: range.window.from, to: range.window.from } };
}

/** A part of a window, and how many of its rows meet the condition: at least one. */
type Slot = { readonly window: RowRange['window']; readonly matches: number };

async function countMatches(
  archive: Archive,
  request: PageRequest & { readonly condition: Condition },
  part: RowRange,
): Promise<readonly Slot[]> {
  const selection = { ...request, ...part, condition: request.condition };
  const { from, to } = part.window;
  const slotSeconds = Math.max(60, Math.ceil((to - from) / SLOTS));
  const query = fillSql(MATCHES, {
    rows: selectedRows(selection),
    andMeets: andMeets(selection),
  });
  const select = { query, ...bindSelection(selection, { slotSeconds }), settings: POINT_READ };
  const slots = await selectRows<{ slot: number; matches: number }>(archive, select);
  const windows = slots.map(({ slot, matches }) => {
    const start = from + slot * slotSeconds;
    return { window: { from: start, to: Math.min(start + slotSeconds, to) }, matches };
  });
  return request.isDescending ? windows.reverse() : windows;
}

/** Joins consecutive slots into windows with at most this many matches, unless a single slot has more. */
function joinSlots(slots: readonly Slot[], most: number): readonly Slot[] {
  const joined: Slot[] = [];
  for (const slot of slots) {
    const last = joined.at(-1);
    if (last === undefined || last.matches + slot.matches > most) joined.push(slot);
    else
      joined[joined.length - 1] = {
        window: {
          from: Math.min(last.window.from, slot.window.from),
          to: Math.max(last.window.to, slot.window.to),
        },
        matches: last.matches + slot.matches,
      };
  }
  return joined;
}

/** Awaits runs in their order, with this many of them at the same time: taking a run from the iterator starts it. */
async function* runAhead<T>(runs: Iterator<Promise<T>, void>, atOnce: number): AsyncGenerator<T, undefined> {
  const begin = () => {
    const { value: run } = runs.next();
    // The error is reported where the promise is awaited.
    run?.catch(() => {});
    return run;
  };
  const begun = Array.from({ length: atOnce }, begin);
  for (let run = begun.shift(); run !== undefined; run = begun.shift()) {
    const value = await run;
    begun.push(begin());
    yield value;
  }
}
