import type { Diagnostic } from "#core/diagnostics";
import { tooLarge, tooMuchMemory } from "./run-notes.ts";
import { type RunWork, totalWork } from "./run-work.ts";

/** What a run may take, in points; a page waits about a second for it. */
export const mostAtOnce = 10_000_000;

/** The same where someone asks for the sizes of the text: some ten seconds. */
const mostAsWritten = 80_000_000;

/** Which sizes a run takes: those of the text alone, or smaller ones where they are too large. */
export type RunSizes = "own" | "fit";

/** What an engine and a reader allow a run. */
export interface RunLimits {
  readonly sizes?: RunSizes;
  /** Bytes that all values of all devices may take together. */
  readonly mostBytes?: number;
}

/** Bytes of an element where a run holds it. */
const elementBytes = 4;

/** Why a run is refused before anything is allocated; nothing where it may go ahead. */
export function excessOf(
  work: RunWork,
  { sizes = "fit", mostBytes }: RunLimits,
): Diagnostic | undefined {
  const most = sizes === "own" ? mostAsWritten : mostAtOnce;
  if (totalWork(work) > most) return tooLarge(work, totalWork(work), most);
  const bytes = work.elements * elementBytes;
  return mostBytes !== undefined && bytes > mostBytes ? tooMuchMemory(bytes, mostBytes) : undefined;
}
