import type { Diagnostic } from "#core/diagnostics";
import type { Microbatches } from "#core/plan";

/** Number of parallel devices that suffices to check that microbatches add up. */
const enoughDevices = 16;

/**
 * Fewer micro-batches, as few as cut the batch in the same places, if the plan's own number side by
 * side would take too long. `undefined` if there are few enough, or no smaller number.
 */
export function fewerRuns(
  microbatches: Microbatches | undefined,
  devices: number,
): Microbatches | undefined {
  if (microbatches === undefined || microbatches.count * devices <= enoughDevices) return undefined;
  const { count } = microbatches;
  let least = 2;
  while (count % least !== 0) least += 1;
  return least === count ? undefined : { ...microbatches, count: least };
}

export function ranInFewer({ count }: Microbatches, of: number): Diagnostic {
  return {
    code: "execute/fewer-microbatches",
    severity: "info",
    message: `the run used ${count} micro-batches instead of ${of}`,
  };
}
