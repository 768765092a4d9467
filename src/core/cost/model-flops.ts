import type { SpmdProgram } from "#core/program";
import { localFlops, measureOf } from "./operator-seconds.ts";

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
  const measure = { ...measureOf(program, new Map()), microbatches: undefined };
  const whole = { kind: "local", phase: "forward", inputs: [], outputs: [] } as const;
  const forward = graph.operators
    .filter(({ phase = "forward" }) => phase === "forward")
    .map((operator) => {
      const step = { ...whole, operator: operator.id, strategy: { cuts: {}, carry: [] } } as const;
      return localFlops(operator, step, measure);
    });
  const isTrained = graph.operators.some(({ phase }) => phase === "backward");
  return { forward: forward.reduce((sum, each) => sum + each, 0), passes: isTrained ? 3 : 1 };
}
