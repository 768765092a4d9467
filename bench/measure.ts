/** A timed action, and its aim. */
export interface Measure {
  readonly name: string;
  /** Seconds on the reference machine; elsewhere multiplied by the calibration's factor. */
  readonly aimSeconds: number;
  /** Number of uncounted runs at the start; default 0. */
  readonly warmUp?: number;
  /** Timed actions, one per run. */
  readonly runs: readonly (() => void)[];
  /** The run that counts; default: the median. */
  readonly counts?: "slowest";
}

/** One action, repeated often enough for a stable median. */
export function often(run: () => void): readonly (() => void)[] {
  return Array.from({ length: 5 }, () => run);
}
