import type { Display } from './display.ts';

/** Shows how many equal steps of a run are done. */
export class StepProgress {
  private readonly display: Pick<Display, 'begin' | 'advance'>;
  private readonly unit: string;
  private total = 0;
  private done = 0;
  private note: string | undefined;
  private startedAt = performance.now();

  /** @param unit what is counted, in the plural */
  constructor(display: Pick<Display, 'begin' | 'advance'>, unit: string) {
    this.display = display;
    this.unit = unit;
  }

  begin(total: number): void {
    this.total = total;
    this.startedAt = performance.now();
    this.display.begin(() => {
      const { done, unit } = this;
      const elapsedSeconds = (performance.now() - this.startedAt) / 1000;
      const rate = `${Math.round(done / Math.max(1, elapsedSeconds))} ${unit}/s`;
      const details = this.note === undefined ? [rate] : [rate, this.note];
      return {
        unit,
        total: this.total,
        finished: done,
        elapsedSeconds,
        details,
        fields: { done, total: this.total },
      };
    });
  }

  /**
   * @param done all steps so far
   * @param note anything else to say
   */
  advance(done: number, note?: string): void {
    this.done = done;
    this.note = note;
    this.display.advance();
  }
}
