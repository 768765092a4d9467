import type { SpmdProgram } from "#core/program";
import type { FoundOfSteps } from "./alike-steps.ts";
import type { Hardware } from "./cost.ts";
import type { Running } from "./in-step.ts";
import type { OperatorWork } from "./operator-seconds.ts";

/**
 * Cached work of steps of earlier program versions; equal steps are not measured again. Valid for
 * one hardware and one set of run conditions.
 */
export interface StepTimeCache {
  of: WorksOf | undefined;
}

interface WorksOf {
  readonly hardware: Hardware;
  readonly running: Running;
  readonly microbatches: number | undefined;
  readonly found: FoundOfSteps<OperatorWork>;
}

/** Index spaces, more than a large model has, beyond which all are forgotten. */
const mostSpaces = 2_000;

/** Empty cache of step times. */
export function createStepTimeCache(): StepTimeCache {
  return { of: undefined };
}

/**
 * The remembered times of steps under these run conditions; empty where the last program ran under
 * others.
 */
export function worksFor(
  known: StepTimeCache,
  { microbatches }: SpmdProgram,
  hardware: Hardware,
  running: Running,
): FoundOfSteps<OperatorWork> {
  const count = microbatches?.count;
  const { of } = known;
  const isSame =
    of !== undefined &&
    of.hardware === hardware &&
    of.microbatches === count &&
    of.running.crowding === running.crowding &&
    of.running.isCompiled === running.isCompiled &&
    of.found.size < mostSpaces;
  if (isSame) return of.found;
  const next = { hardware, running, microbatches: count, found: new Map() };
  known.of = next;
  return next.found;
}
