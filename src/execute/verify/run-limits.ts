import type { Diagnostic } from "#core/diagnostics";
import { type Pace, secondsAt } from "./pace.ts";
import { tooLarge, tooLong, tooMuchMemory } from "./run-notes.ts";
import { type RunWork, totalWork } from "./run-work.ts";

/** Index points that a run visits without smaller sizes; a page waits about a second for them. */
export const mostAtOnce = 10_000_000;

/** The same on the smallest sizes that there are: some tens of seconds. */
export const mostOnSmaller = 300_000_000;

/**
 * The sizes of a run: `own`, those of the text; `fit`, smaller ones where it would take too long.
 */
export type RunSizes = "own" | "fit";

/** What an engine and a reader allow a run. */
export interface RunLimits {
  /**
   * Index points that a run may visit where smaller sizes are not wanted or not found; `mostAtOnce`
   * when absent.
   */
  readonly mostWork?: number;
  /** How fast runs are here, if that was measured: `mostSeconds` then stands for `mostWork`. */
  readonly pace?: Pace;
  /** Seconds that a run may take at that pace; an hour when absent. */
  readonly mostSeconds?: number;
  /** Bytes that all values of all devices may take together; what a processor may hold if absent. */
  readonly mostBytes?: number;
  /** Numbers take 4 bytes in place of 8. */
  readonly isSingle?: boolean;
}

/** Bytes that a run on a processor may hold. */
const mostOnCpu = 2 ** 32;

/** Seconds. */
const anHour = 3600;

/** Why a run is refused before anything is allocated; nothing where it may go ahead. */
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
