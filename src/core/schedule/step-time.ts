import type { FlatStep } from "#core/program";

/** The time of a step. */
export interface StepTime {
  readonly seconds: number;
  /** Seconds that collectives in one bucket pay once together; 0 for other steps. */
  readonly fixed: number;
  /** Seconds of the host to launch it. */
  readonly launch: number;
}

/** The time of a step, by its index in `flatSteps(program)`. */
export type TimeOf = (step: FlatStep, at: number) => StepTime;
