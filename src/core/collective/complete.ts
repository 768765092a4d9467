import { sum } from "#core/arithmetic";
import { blockCount, boxesByIndex } from "#core/mesh";
import { overlaps, volumes } from "./box-lists.ts";
import { isEven } from "./even.ts";
import { messagesOf } from "./messages.ts";
import { type LayoutStep, movedParts } from "./step.ts";

/**
 * Whether a step brings every device all of its block. It always does where dims are even; a flat
 * uneven dim that is cut further, or gathered in part, needs an exchange instead.
 */
export function isComplete(step: LayoutStep, shape: readonly number[]): boolean {
  if (step.transfers !== undefined) return true;
  if (isEven(step.before, shape) && isEven(step.after, shape)) return true;
  const wanted = boxesByIndex(step.after, shape);
  const held = boxesByIndex(step.before, shape);
  const isReduction = step.collective === "reduce-scatter" || step.collective === "all-reduce";
  const members = blockCount(movedParts(step.moves));
  const messages = step.collective === "slice" ? [] : messagesOf(step, shape);
  return wanted.every((boxes, index) => {
    const needed = volumes(boxes);
    if (step.collective === "slice") return volumes(overlaps(held[index] ?? [], boxes)) === needed;
    const received = (messages[index] ?? []).map(({ ranges }) => volumes(ranges));
    if (isReduction && needed > 0) {
      return received.length === members && received.every((volume) => volume === needed);
    }
    return sum(received) === needed;
  });
}
