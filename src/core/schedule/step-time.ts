import type { FlatStep } from "#core/program";

/** How long a step takes. */
export interface StepTime {
  readonly seconds: number;
  /** For a collective: seconds paid once by all collectives that go in one bucket. */
  readonly fixed: number;
  /** Seconds of the host until it is launched. */
  readonly launch: number;
}

/** The time of a step, by its place in `flatSteps(program)`. */
export type TimeOf = (step: FlatStep, at: number) => StepTime;
