/** A timed action, and its aim. */
export interface Measure {
  readonly name: string;
  /** Seconds on the reference machine; elsewhere multiplied by the calibration's factor. */
  readonly aimSeconds: number;
  /** Number of runs before those that count; 0 when unsaid. */
  readonly warmUp?: number;
  /** The timed actions, one by one. */
  readonly runs: readonly (() => void)[];
  /** Which run counts; the middle one when unsaid. */
  readonly counts?: "slowest";
}

/** One action so many times that the middle time is not chance. */
export function often(run: () => void): readonly (() => void)[] {
  return Array.from({ length: 5 }, () => run);
}
