import type { OperatorId, TensorId } from "#core/ir";
import type { CanvasLayout, CanvasNode } from "./canvas.ts";

/**
 * A node to find on the canvas: the redistribution if given, else the operator, else the tensor.
 */
interface Sought {
  readonly tensor?: TensorId;
  readonly operator?: OperatorId;
  readonly redistribution?: number;
}

/** The box of a redistribution, an operator or a tensor; `undefined` inside a folded block. */
export function nodeOf({ nodes }: CanvasLayout, sought: Sought): CanvasNode | undefined {
  return nodes.find((node) => {
    if (sought.redistribution !== undefined) {
      return node.kind === "redistribution" && node.redistribution === sought.redistribution;
    }
    if (sought.operator !== undefined) {
      return node.kind === "operator" && node.operator === sought.operator;
    }
    if (node.kind === "operator") {
      return sought.tensor !== undefined && node.makes?.includes(sought.tensor) === true;
    }
    return (node.kind === "tensor" || node.kind === "input") && node.tensor === sought.tensor;
  });
}

/**
 * Key of the folded block that contains the sought node; `undefined` if the node has a box of its
 * own.
 */
export function foldedRunOf(layout: CanvasLayout, sought: Sought): string | undefined {
  const { tensor, operator, redistribution } = sought;
  if (layout.nodes.every(({ kind }) => kind !== "stack")) return undefined;
  if (nodeOf(layout, sought) !== undefined) return undefined;
  for (const node of layout.nodes) {
    if (node.kind !== "stack") continue;
    for (const run of node.stack.runs) {
      if (redistribution !== undefined) {
        if (run.redistributions.includes(redistribution)) return run.key;
      } else if (operator !== undefined) {
        if (run.operators.includes(operator)) return run.key;
      } else if (tensor !== undefined && run.tensors.includes(tensor)) return run.key;
    }
  }
  return undefined;
}

/** The box of a block: its head when the block is open, else the stack that contains it. */
export function runNodeOf({ nodes }: CanvasLayout, key: string): CanvasNode | undefined {
  return nodes.find(
    (node) =>
      (node.kind === "run" && node.run.key === key) ||
      (node.kind === "stack" && node.stack.runs.some((run) => run.key === key)),
  );
}

/** Key of the open, foldable block whose frame contains a node; `undefined` outside such blocks. */
export function openRunAround({ frames }: CanvasLayout, node: CanvasNode): string | undefined {
  const middle = node.y + node.height / 2;
  return frames.find(
    ({ y, height, isFoldable }) => isFoldable && y <= middle && middle <= y + height,
  )?.key;
}
