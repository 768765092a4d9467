import type { SpmdProgram } from "#core/program";
import { append } from "#core/records";
import { rememberedFor } from "../../remembered.ts";
import type { CanvasLayout, CanvasNode } from "../canvas.ts";

/**
 * The boxes related to a box by training: gradients of a tensor and the tensor of a gradient;
 * gradient and recompute operators of an operator, and the forward operator of these.
 */
export function trainingCounterparts(
  program: SpmdProgram,
  { nodes }: CanvasLayout,
  node: CanvasNode | undefined,
): readonly CanvasNode[] {
  const id = node === undefined ? undefined : nameOf(node);
  const mates = id === undefined ? undefined : pairsOf(program).get(id);
  if (mates === undefined) return [];
  const wanted = new Set(mates);
  return nodes.filter((each) => wanted.has(nameOf(each) ?? ""));
}

/** Related box ids by box id, such as `tensor-w` and `operator-h`. */
const pairsOf = rememberedFor(({ graph }: SpmdProgram): ReadonlyMap<string, readonly string[]> => {
  const pairs = new Map<string, string[]>();
  const pair = (one: string, other: string) => {
    append(pairs, one, other);
    append(pairs, other, one);
  };
  for (const { id, gradientOf } of graph.tensors) {
    if (gradientOf !== undefined) pair(`tensor-${id}`, `tensor-${gradientOf}`);
  }
  for (const { id, of } of graph.operators) {
    if (of !== undefined) pair(`operator-${id}`, `operator-${of}`);
  }
  return pairs;
});

function nameOf({ id, kind }: CanvasNode): string | undefined {
  return kind === "tensor" || kind === "input" || kind === "operator" ? id : undefined;
}
