import { type Box, volumeOf } from "#core/indexspace";
import type { Operator } from "#core/ir";
import { indexPieces, type OperatorPlan } from "#core/plan";

/** Names of an operation's index axes, and its index where it has one. */
interface Indexed {
  readonly axes: readonly string[];
  readonly index?: Box | undefined;
}

/**
 * Boxes of an operator's index that devices compute under a plan, each once, in Loom's coordinates.
 */
export function drawnPieces(
  { axes, index = [] }: Indexed,
  operator: Operator,
  plan: Pick<OperatorPlan, "strategy" | "mesh" | "unverified">,
): readonly Box[] {
  const places = axes.map((name) => operator.axes.findIndex((axis) => axis.name === name));
  const boxes = indexPieces(operator, plan)
    .flat()
    .filter((box) => volumeOf(box) > 0)
    .map((box) =>
      places.map((place, at) => {
        const from = index[at]?.start ?? 0;
        const { start, stop } = box[place] ?? { start: 0, stop: 1 };
        return { start: from + start, stop: from + stop };
      }),
    );
  return [...new Map(boxes.map((box) => [JSON.stringify(box), box])).values()];
}
