import { createContext, useMemo } from "react";
import type { CanvasNode } from "#app/scene/graph";
import { type Contributed, costParts } from "#app/scene/text";
import type { Linked } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/**
 * Whether a node contributes to the number whose table is open, or is the part pointed at in the
 * text or a drawing; undefined where there is neither.
 */
export type LightOf = (node: CanvasNode) => "on" | "off" | undefined;

/** Lights nothing. One function for all such times, so that nothing is drawn anew. */
const unlit: LightOf = () => undefined;

export const LitContext = createContext<LightOf>(unlit);

/**
 * The nodes that light up: those of the row under the pointer, else of all rows of an open table;
 * without a table the part under the pointer. Pointing in the text dims all other nodes.
 */
export function useLitNodes(compiled: Compiled): LightOf {
  const metric = useApp((state) => state.metric);
  const part = useApp((state) => state.litPart);
  const linked = useApp((state) => state.linked);
  return useMemo((): LightOf => {
    if (metric === undefined) return linked === undefined ? unlit : linkedLight(linked);
    const parts = part === undefined ? costParts(compiled, metric) : [part];
    const keys = new Set(parts.map(keyOf));
    return (node: CanvasNode) =>
      contributedOf(node).some((each) => keys.has(keyOf(each))) ? "on" : "off";
  }, [compiled, metric, part, linked]);
}

function linkedLight({ by, operators, tensors, redistributions }: Linked): LightOf {
  const others = by === "drawing" ? undefined : "off";
  const isLit = ({ operator, tensor, redistribution }: Contributed) =>
    (operator !== undefined && operators.has(operator)) ||
    (tensor !== undefined && redistribution === undefined && tensors.has(tensor)) ||
    (redistribution !== undefined && redistributions.has(redistribution));
  return (node) => (contributedOf(node).some(isLit) ? "on" : others);
}

function contributedOf(node: CanvasNode): readonly Contributed[] {
  switch (node.kind) {
    case "operator":
      return [{ operator: node.operator }];
    case "redistribution":
      return [{ redistribution: node.redistribution }];
    case "stack":
      return node.stack.runs.flatMap(({ operators, tensors, redistributions }) => [
        ...operators.map((operator) => ({ operator })),
        ...tensors.map((tensor) => ({ tensor })),
        ...redistributions.map((redistribution) => ({ redistribution })),
      ]);
    case "run":
      return [];
    default:
      return [{ tensor: node.tensor }];
  }
}

/** A key that tells a redistribution from its tensor. */
function keyOf({ tensor, operator, redistribution }: Contributed): string {
  if (redistribution !== undefined) return `redistribution ${redistribution}`;
  return operator === undefined ? `tensor ${tensor}` : `operator ${operator}`;
}
