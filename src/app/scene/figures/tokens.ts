import type { Compiled } from "#compile";
import { product } from "#core/arithmetic";
import { type Operator, type Tensor, type TensorId, tensorsById } from "#core/ir";
import { isFloat } from "#core/ir/types";

/** Tokens of one step, with the reason for this number; `NaN` with the cause if unknown. */
export interface Tokens {
  readonly count: number;
  readonly how: string;
}

/**
 * The number of tokens of a step: the ids that an embedding looks up in an integer input; without
 * an embedding, the batch times the sequence of the only rank-3 input, if the program has an
 * attention.
 */
export function tokensOf({ program: { graph } }: Pick<Compiled, "program">): Tokens {
  const tensors = tensorsById(graph);
  const makers = new Map(
    graph.operators.flatMap((each) => each.outputs.map(({ tensor }) => [tensor, each] as const)),
  );
  const isForward = ({ phase = "forward" }: Operator) => phase === "forward";
  const forward = graph.operators.filter(isForward);
  const ids = new Set(
    forward
      .filter(({ entry }) => entry === "embedding")
      .flatMap(({ inputs }) => sourceOf(inputs[0]?.tensor, tensors, makers) ?? []),
  );
  if (ids.size > 0) return ofIds([...ids]);
  const hasAttention = forward.some(({ entry }) => entry === "attention");
  const rows = graph.tensors.filter(
    ({ role, shape, dtype, isUnknown }) =>
      role === "input" && isFloat(dtype) && shape.length === 3 && isUnknown === undefined,
  );
  const [only, other] = rows;
  if (!hasAttention || only === undefined || other !== undefined) {
    return { count: Number.NaN, how: "no input says what its tokens are" };
  }
  const [batch = 1, sequence = 1] = only.shape;
  return {
    count: batch * sequence,
    how: `${only.name} is read as ${batch} sequences of ${sequence}: an attention works on it`,
  };
}

/**
 * The token count of the id tensors of highest rank; position ids shared by all sequences have
 * fewer dims.
 */
function ofIds(all: readonly Tensor[]): Tokens {
  const rank = Math.max(...all.map(({ shape }) => shape.length));
  const ids = all.filter(({ shape }) => shape.length === rank);
  const counts = ids.map(({ shape }) => product(shape));
  const [first = 0] = counts;
  const names = ids.map(({ name }) => name).join(" and ");
  if (counts.some((count) => count !== first)) {
    return { count: Number.NaN, how: `${names} hold different numbers of ids` };
  }
  const shape = ids[0]?.shape.join(" × ") ?? "";
  return { count: first, how: `${names} holds ${shape} ids, which an embedding looks up` };
}

/** The integer input from which ids come, traced through casts and reshapes. */
function sourceOf(
  id: TensorId | undefined,
  tensors: ReadonlyMap<TensorId, Tensor>,
  makers: ReadonlyMap<TensorId, Operator>,
): Tensor | undefined {
  const tensor = id === undefined ? undefined : tensors.get(id);
  if (tensor === undefined || tensor.isUnknown || isFloat(tensor.dtype)) return undefined;
  if (tensor.role === "input") return tensor;
  const { inputs = [] } = makers.get(tensor.id) ?? {};
  return inputs.length === 1 ? sourceOf(inputs[0]?.tensor, tensors, makers) : undefined;
}
