import { tensorsById } from "#core/ir";
import type { SpmdProgram } from "#core/program";
import { operationsOf } from "./kernel.ts";
import { kernelsOf } from "./kernels-of.ts";
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
 */
export function modelFlops(program: SpmdProgram): ModelFlops {
  const { graph } = program;
  const tensors = tensorsById(graph);
  const forward = graph.operators
    .filter(({ phase = "forward" }) => phase === "forward")
    .flatMap((operator) => kernelsOf(wholeOperator(operator, tensors)).map(operationsOf));
  const isTrained = graph.operators.some(({ phase }) => phase === "backward");
  return { forward: forward.reduce((sum, each) => sum + each, 0), passes: isTrained ? 3 : 1 };
}
