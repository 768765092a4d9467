import {
  type Graph,
  type Operand,
  type Operator,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { isSameKind, mostCompared, sameNumbers } from "./alike-steps.ts";
import { operationsOf } from "./kernel.ts";
import { kernelsOf, multipliesNothing } from "./kernels-of.ts";
import { wholeOperator } from "./local-operator.ts";

/** Operations of a model, without those added by distribution over devices. */
export interface ModelFlops {
  /** Operations of the forward pass of the whole batch, on all devices together. */
  readonly forward: number;
  /** 3 where the model is trained: a backward pass counts as two forward ones. */
  readonly passes: 1 | 3;
}

/**
 * Operations of a program's model, as counted for utilisation: without recomputation, replicated
 * work and the optimizer. `NaN` if a shape is unknown.
 *
 * @param model graph of the program without backward and update operators
 */
export function modelFlops({ graph }: Pick<SpmdProgram, "graph">, model: Graph): ModelFlops {
  const isTrained = graph.operators.some(({ phase }) => phase === "backward");
  return { forward: forwardFlops(model), passes: isTrained ? 3 : 1 };
}

/** Counted forward operations by model, since many plans share one model. */
const counted = new WeakMap<Graph, number>();

function forwardFlops(model: Graph): number {
  const before = counted.get(model);
  if (before !== undefined) return before;
  const tensors = tensorsById(model);
  const flopsIn = flopsKept(flopsOnce(tensors), tensors);
  let forward = 0;
  for (const operator of model.operators) forward += flopsIn(operator);
  counted.set(model, forward);
  return forward;
}

/** Operations of an operator, remembered with the tensors for which they were counted. */
const kept = new WeakMap<Operator, { readonly tensors: Tensors; readonly flops: number }>();

type Tensors = readonly (Tensor | undefined)[];

/**
 * Wraps `find` so that an operator whose tensors are the same objects as in an earlier version of
 * its model is not counted again.
 */
function flopsKept(
  find: (operator: Operator) => number,
  tensors: ReadonlyMap<TensorId, Tensor>,
): (operator: Operator) => number {
  const tensorOf = ({ tensor }: Operand) => tensors.get(tensor);
  return (operator) => {
    const { inputs, outputs } = operator;
    const before = kept.get(operator);
    if (
      before !== undefined &&
      inputs.every((each, at) => tensorOf(each) === before.tensors[at]) &&
      outputs.every((each, at) => tensorOf(each) === before.tensors[inputs.length + at])
    )
      return before.flops;
    const flops = multipliesNothing(operator) ? 0 : find(operator);
    kept.set(operator, { tensors: [...inputs, ...outputs].map(tensorOf), flops });
    return flops;
  };
}

interface Known {
  readonly operator: Operator;
  readonly flops: number;
}

/** `flopsOf`, computed once for all equal operators. */
function flopsOnce(tensors: ReadonlyMap<TensorId, Tensor>): (operator: Operator) => number {
  // Equal operators share their index space.
  const known = new Map<Operator["axes"], Known[]>();
  return (operator) => {
    const before = known.get(operator.axes) ?? [];
    const same = before.find(
      (each) =>
        isSameKind(each.operator, operator) && sameTensors(each.operator, operator, tensors),
    );
    if (same !== undefined) return same.flops;
    const flops = flopsOf(operator, tensors);
    if (before.unshift({ operator, flops }) === 1) known.set(operator.axes, before);
    if (before.length > mostCompared) before.pop();
    return flops;
  };
}

/** Whether the tensors of two operators with as many operands have the same shapes and types. */
function sameTensors(a: Operator, b: Operator, tensors: ReadonlyMap<TensorId, Tensor>): boolean {
  const isSame = ({ tensor }: Operand, other: Operand | undefined) => {
    const [one, two] = [tensors.get(tensor), other && tensors.get(other.tensor)];
    return one?.dtype === two?.dtype && sameNumbers(one?.shape, two?.shape);
  };
  return (
    a.inputs.every((operand, at) => isSame(operand, b.inputs[at])) &&
    a.outputs.every((operand, at) => isSame(operand, b.outputs[at]))
  );
}

function flopsOf(operator: Operator, tensors: ReadonlyMap<TensorId, Tensor>): number {
  const kernels = kernelsOf(wholeOperator(operator, tensors));
  return kernels.reduce((sum, kernel) => sum + operationsOf(kernel), 0);
}
