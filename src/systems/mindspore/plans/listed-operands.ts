import type { TracedOperator } from "#language/document/trace";
import { countsOf } from "../operators/grouped-matmul.ts";
import type { OperatorModel } from "../operators/model-operator.ts";
import { groupedInputs, groupedOperands } from "../primitives/grouped-matmul.ts";
import { modelCall } from "./model-call.ts";

/**
 * For an operator with list operands: whether each tuple of its strategy belongs to a tensor or to
 * an omitted operand. `undefined` for other operators.
 */
export function listedTuples(traced: TracedOperator): readonly boolean[] | undefined {
  const call = traced.op === "GroupedMatmul" ? modelCall(traced, 1) : undefined;
  if (call === undefined) return undefined;
  const inputs = groupedInputs(call);
  return groupedOperands.flatMap((name) => {
    const count = inputs[name]?.length ?? 0;
    return count === 0 ? [false] : Array.from({ length: count }, () => true);
  });
}

/** Whether an operator consists of several products, each of which is cut over the same devices. */
export function sharesDevices(traced: TracedOperator): boolean {
  const call = traced.op === "GroupedMatmul" ? modelCall(traced, 1) : undefined;
  return call !== undefined && (groupedInputs(call).x?.length ?? 0) > 1;
}

/**
 * The tuples of a strategy in MindSpore's graph, with those of a list of tensors nested in one
 * tuple. An operator of lists that is replaced, since it sends something, is printed with none.
 */
export function inLists(
  traced: TracedOperator,
  strategies: readonly (readonly number[])[],
  model: OperatorModel | undefined,
): readonly (readonly (number | readonly number[])[])[] {
  const isReplaced = /^(Index|FusedInferAttentionScore)$/u.test(traced.op);
  if (isReplaced && (model?.forward.length ?? 0) > 0) return [];
  // A shape with run-time lengths is one more operand, a one-dim tensor.
  if (traced.op === "BroadcastTo" && traced.primitive?.arguments.runTimeDims !== undefined)
    return [...strategies, [1]];
  const call = traced.op === "GroupedMatmul" ? modelCall(traced, 1) : undefined;
  if (call === undefined) return strategies;
  let next = 0;
  return countsOf(call).map((count) => {
    next += count;
    const own = strategies.slice(next - count, next);
    return own.length === 1 ? (own[0] ?? []) : own;
  });
}
