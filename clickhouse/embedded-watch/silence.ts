/** Pings come more often. After a longer gap, such as that of a suspended machine, the engine gets its time anew. */
const MAX_GAP_MILLISECONDS = 10_000;

/** Tells after each ping for how many milliseconds no ping has been answered. Times are those of `performance.now()`. */
export function measureSilence(start: number): (isAnswered: boolean, now: number) => number {
  let answeredAt = start;
  let pingedAt = start;
  return (isAnswered, now) => {
    if (isAnswered || now - pingedAt > MAX_GAP_MILLISECONDS) answeredAt = now;
    pingedAt = now;
    return now - answeredAt;
  };
}
