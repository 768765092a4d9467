/** Something that is timed, and how long it may take. */
export interface Measure {
  readonly name: string;
  /** On the reference machine; elsewhere so many times longer as the calibration takes there. */
  readonly aimSeconds: number;
  /** Number of runs before those that count; 0 when unsaid. */
  readonly warmUp?: number;
  /** What is timed one by one. */
  readonly runs: readonly (() => void)[];
  /** Which run counts; the middle one when unsaid. */
  readonly counts?: "slowest";
}

/** The same thing so many times that the middle one is not chance. */
export function often(run: () => void): readonly (() => void)[] {
  return Array.from({ length: 5 }, () => run);
}
