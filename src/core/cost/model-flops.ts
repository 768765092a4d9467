import {
  createLikeness,
  type Graph,
  type Operator,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { operationsOf } from "./kernel.ts";
import { kernelsOf, multipliesNothing } from "./kernels-of.ts";
import { wholeOperator } from "./local-operator.ts";

/** Operations that a model asks for, whatever devices do to get them done. */
export interface ModelFlops {
  /** Of the forward pass of the whole batch, on all devices together. */
  readonly forward: number;
  /** 3 where the model is trained: a backward pass counts as two forward ones. */
  readonly passes: 1 | 3;
}

/**
 * The operations of a program's model, as utilisation counts them: what is computed anew, what is
 * computed by several devices alike, and the optimizer are left out. `NaN` where a shape is unknown.
 *
 * @param model what the program runs or trains: its graph without backward and update operators
 */
export function modelFlops({ graph }: Pick<SpmdProgram, "graph">, model: Graph): ModelFlops {
  const isTrained = graph.operators.some(({ phase }) => phase === "backward");
  return { forward: forwardFlops(model), passes: isTrained ? 3 : 1 };
}

/** Another plan of a model that says the same asks for as many operations. */
const counted = new WeakMap<Graph, number>();

function forwardFlops(model: Graph): number {
  const before = counted.get(model);
  if (before !== undefined) return before;
  const tensors = tensorsById(model);
  const likenessOf = createLikeness((id) => tensors.get(id));
  // Equal operators share their index space: what has one of its own is counted at once.
  const spaces = new Set<Operator["axes"]>();
  const known = new Map<string, number>();
  let forward = 0;
  for (const operator of model.operators) {
    if (multipliesNothing(operator)) continue;
    const isFirst = !spaces.has(operator.axes);
    spaces.add(operator.axes);
    const key = isFirst ? "" : likenessOf(operator);
    const own = (isFirst ? undefined : known.get(key)) ?? flopsOf(operator, tensors);
    if (!isFirst) known.set(key, own);
    forward += own;
  }
  counted.set(model, forward);
  return forward;
}

function flopsOf(operator: Operator, tensors: ReadonlyMap<TensorId, Tensor>): number {
  const kernels = kernelsOf(wholeOperator(operator, tensors));
  return kernels.reduce((sum, kernel) => sum + operationsOf(kernel), 0);
}
