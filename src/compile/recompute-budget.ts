import type { Memory } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import { fewestBlocks, type RecomputedBlock, type Training, withBlocks } from "#core/training";

/** Blocks recomputed by a step to stay within its budget. */
export interface ComputedAgain {
  /** Memory budget of a device in bytes. */
  readonly bytes: number;
  /** Names of the program's blocks in run order, and of the recomputed ones. */
  readonly all: readonly string[];
  readonly again: readonly string[];
  /** Whether the peak is within the budget. */
  readonly isHeld: boolean;
}

/** An analysis of a step under its budget, with the chosen blocks. */
export interface WithinBudget<T> {
  readonly found: T;
  readonly chosen: ComputedAgain;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The step with the fewest recomputed blocks, taken from the program's start, that stays within its
 * budget. If that is not possible, all blocks are recomputed.
 */
export function withinBudget<T extends { readonly memory: Memory }>(
  training: Training,
  budget: NonNullable<Training["budget"]>,
  analysisOf: (training: Training) => T,
): WithinBudget<T> {
  const { bytes, blocks } = budget;
  const known = new Map<number, T>();
  const tried = (count: number): T => {
    const found = known.get(count) ?? analysisOf(withBlocks(training, blocks.slice(0, count)));
    known.set(count, found);
    return found;
  };
  const search = fewestBlocks(blocks.length, bytes);
  let step = search.next();
  while (step.done !== true) step = search.next(tried(step.value).memory.peakBytes);
  const count = step.value ?? blocks.length;
  const found = tried(count);
  const peak = found.memory.peakBytes;
  const named = (list: readonly RecomputedBlock[]) => list.map(({ name }) => name);
  const chosen = {
    bytes,
    all: named(blocks),
    again: named(blocks.slice(0, count)),
    isHeld: step.value !== undefined,
  };
  // A text without blocks was already reported when it was read.
  const said = blocks.length === 0 ? [] : [outcome(chosen, peak, training)];
  return { found, chosen, diagnostics: said };
}

function outcome(
  { bytes, all, again, isHeld }: ComputedAgain,
  peak: number,
  { span }: Training,
): Diagnostic {
  const place = span === undefined ? {} : { span };
  if (!isHeld) {
    const message = Number.isNaN(peak)
      ? `what a step takes is not known, so all ${all.length} blocks are computed again for its budget of ${bytes} bytes`
      : `with all ${all.length} blocks computed again a step still takes ${peak} bytes at its peak: its budget is ${bytes}`;
    return { code: "training/over-budget", severity: "warning", message, ...place };
  }
  const what =
    again.length === 0
      ? "nothing has to be computed again"
      : `${again.length} of ${all.length} blocks are computed again, ${rangeOf(again)}`;
  const message = `${what}: the step takes ${peak} bytes at its peak, within ${bytes}`;
  return { code: "training/recompute-budget", severity: "info", message, ...place };
}

/** `blocks[0]`, or `blocks[0] to blocks[5]`. */
function rangeOf(names: readonly string[]): string {
  const ends = [...new Set([names[0] ?? "", names.at(-1) ?? ""])];
  return ends.join(" to ");
}
