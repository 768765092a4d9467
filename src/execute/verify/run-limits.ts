import type { Diagnostic } from "#core/diagnostics";
import { type Pace, secondsAt } from "./pace.ts";
import { tooLarge, tooLong, tooMuchMemory } from "./run-notes.ts";
import { type RunWork, totalWork } from "./run-work.ts";

/** Limit on the index points of a run on the text's own sizes; such a run takes about a second. */
export const mostAtOnce = 10_000_000;

/**
 * Limit on the index points of a run on the smallest possible sizes; such a run takes some tens of
 * seconds.
 */
export const mostOnSmaller = 300_000_000;

/** The sizes of a run. `own`: those of the text; `fit`: smaller ones if it would take too long. */
export type RunSizes = "own" | "fit";

/** Limits that an engine and a reader set for a run. */
export interface RunLimits {
  /**
   * The most index points of a run if smaller sizes are not wanted or not found; `mostAtOnce` when
   * absent.
   */
  readonly mostWork?: number;
  /** Measured pace of runs; if given, `mostSeconds` applies instead of `mostWork`. */
  readonly pace?: Pace;
  /** The most seconds of a run at that pace; an hour if absent. */
  readonly mostSeconds?: number;
  /** The most bytes of all values of all devices together; a processor's limit if absent. */
  readonly mostBytes?: number;
  /** Whether numbers take 4 bytes instead of 8. */
  readonly isSingle?: boolean;
}

/** Bytes that a run on a processor may hold. */
const mostOnCpu = 2 ** 32;

/** An hour in seconds. */
const anHour = 3600;

/** The reason why a run is refused before anything is allocated; `undefined` if it may start. */
export function excessOf(
  work: RunWork,
  {
    mostWork = mostAtOnce,
    pace,
    mostSeconds = anHour,
    mostBytes = mostOnCpu,
    isSingle = false,
  }: RunLimits,
): Diagnostic | undefined {
  const total = totalWork(work);
  if (pace === undefined && total > mostWork) return tooLarge(work, total, mostWork);
  const seconds = pace === undefined ? 0 : secondsAt(work, pace);
  if (seconds > mostSeconds) return tooLong(seconds, mostSeconds);
  const bytes = work.elements * (isSingle ? 4 : 8);
  return bytes > mostBytes ? tooMuchMemory(bytes, mostBytes) : undefined;
}
