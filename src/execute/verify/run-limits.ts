import type { Diagnostic } from "#core/diagnostics";
import { tooLarge, tooMuchMemory } from "./run-notes.ts";
import { type RunWork, totalWork } from "./run-work.ts";

/** What a run takes at once, in points; a page waits about a second for it. */
export const mostAtOnce = 10_000_000;

/** Which sizes a run takes: those of the text alone, or smaller ones where it would take long. */
export type RunSizes = "own" | "fit";

/** What an engine and a reader allow a run. */
export interface RunLimits {
  /** Points that a run may take where no smaller sizes are wanted, or found; else what it takes at once. */
  readonly mostWork?: number;
  /** Bytes that all values of all devices may take together. */
  readonly mostBytes?: number;
}

/** Bytes of an element where a run holds it. */
const elementBytes = 4;

/** Why a run is refused before anything is allocated; nothing where it may go ahead. */
export function excessOf(
  work: RunWork,
  { mostWork = mostAtOnce, mostBytes }: RunLimits,
): Diagnostic | undefined {
  const total = totalWork(work);
  if (total > mostWork) return tooLarge(work, total, mostWork);
  const bytes = work.elements * elementBytes;
  return mostBytes !== undefined && bytes > mostBytes ? tooMuchMemory(bytes, mostBytes) : undefined;
}
