import type { Schedule } from "./schedule.ts";

/** What a step comes to in a whole schedule. */
export interface StepUse {
  /** How often it runs. */
  readonly count: number;
  /** What all its runs take, and of that what is sent while nothing is computed. */
  readonly seconds: number;
  readonly exposed: number;
}

/** By step of `flatSteps(program)`: what it comes to, over all passes. */
export function usesOf({ passes }: Schedule): readonly StepUse[] {
  const uses: StepUse[] = [];
  for (const { first, count, seconds, exposed } of passes) {
    for (const [at, own] of seconds.entries()) {
      const before = uses[first + at] ?? { count: 0, seconds: 0, exposed: 0 };
      uses[first + at] = {
        count: before.count + count,
        seconds: before.seconds + count * own,
        exposed: before.exposed + count * (exposed[at] ?? 0),
      };
    }
  }
  return uses;
}
