/** How far a run is. */
export type ProgressState = {
  /** What is counted, in the plural: `slices`. */
  readonly unit: string;
  readonly total: number;
  readonly finished: number;
  readonly elapsedSeconds: number;
  /** Speed and counts as text, the most important first. */
  readonly details: readonly string[];
  /** The counts as fields of a JSON log line. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Shows the progress of a run: bars on a terminal, lines elsewhere. */
export type Display = {
  /** @param state returns the state at the time of the call */
  readonly begin: (state: () => ProgressState) => void;
  /** Something was finished. */
  readonly advance: () => void;
  readonly log: (line: string) => void;
  readonly end: () => void;
};

export type LogFormat = 'text' | 'json';
