/** A mistake in the text of a condition. The message says where it is and what to write, after a parameter's name. */
export class ConditionError extends Error {
  /** Position of the character where the mistake begins, from 1. */
  readonly position: number;

  constructor(position: number, detail: string) {
    super(`has a mistake at character ${position}: ${detail}`);
    this.name = 'ConditionError';
    this.position = position;
  }
}
