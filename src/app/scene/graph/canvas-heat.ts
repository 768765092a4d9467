import type { Compiled } from "#compile";
import type { OperatorId } from "#core/ir";

/**
 * Modelled seconds of the redistributions that an operator causes, as a share of the largest such
 * sum. Redistributions of its operands and its own reductions count, and those of final results it
 * produces.
 */
export function operatorHeat({ graph, program }: Compiled): {
  readonly heatOf: (operator: OperatorId) => number;
  /** Seconds as a share of that maximum, at most 1. */
  readonly shareOf: (seconds: number) => number;
} {
  const producers = new Map(graph.tensors.map(({ id, producer }) => [id, producer]));
  const seconds = new Map<OperatorId, number>();
  for (const { reasons, tensor, seconds: cost } of program.redistributions) {
    const reason = reasons.find((each) => each.kind === "operand" || each.kind === "reduction");
    const operator =
      reason !== undefined && "operator" in reason ? reason.operator : producers.get(tensor);
    if (operator !== undefined) seconds.set(operator, (seconds.get(operator) ?? 0) + cost);
  }
  const most = [...seconds.values()].reduce((high, each) => Math.max(high, each), 0);
  const shareOf = (cost: number) => (most === 0 ? 0 : Math.min(1, cost / most));
  return { heatOf: (operator) => shareOf(seconds.get(operator) ?? 0), shareOf };
}
