/**
 * A ping that is not answered takes 7 s, more on a loaded machine. A longer gap, such as that of a suspended machine, starts
 * the time of the engine anew.
 */
const MAX_GAP_MILLISECONDS = 20_000;

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
