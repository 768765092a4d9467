import type { Schedule } from "./schedule.ts";

/** The total time of a step in a whole schedule. */
export interface StepUse {
  /** Number of runs of the step. */
  readonly count: number;
  /**
   * Seconds of all its runs; `exposed`: the part in which it communicates while nothing is
   * computed.
   */
  readonly seconds: number;
  readonly exposed: number;
}

/** The total use of each step of `flatSteps(program)`, over all passes. */
export function usesOf({ passes }: Schedule): readonly StepUse[] {
  const uses: { count: number; seconds: number; exposed: number }[] = [];
  for (const { first, count, seconds, exposed } of passes) {
    for (let at = 0; at < seconds.length; at += 1) {
      const own = seconds[at] ?? 0;
      const use = uses[first + at] ?? { count: 0, seconds: 0, exposed: 0 };
      use.count += count;
      use.seconds += count * own;
      use.exposed += count * (exposed[at] ?? 0);
      uses[first + at] = use;
    }
  }
  return uses;
}
