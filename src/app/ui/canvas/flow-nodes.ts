import type { Node } from "@xyflow/react";
import type { CanvasNode } from "#app/scene";
import type { FlowData } from "./node-types.tsx";

export type FlowNode = Node<FlowData, "planNode">;

/** The library's node for each of ours: the same one for the same, so that it is not drawn anew. */
export function flowNodes(): (node: CanvasNode) => FlowNode {
  const made = new WeakMap<CanvasNode, FlowNode>();
  return (node) => {
    const flowNode = made.get(node) ?? flowNodeFor(node);
    made.set(node, flowNode);
    return flowNode;
  };
}

/** Its size and its lack of handles are said, so that the library measures nothing. */
function flowNodeFor(node: CanvasNode): FlowNode {
  const { id, x, y, width, height } = node;
  return {
    id,
    type: "planNode",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: [],
    data: { node },
    style: { width, height },
  };
}
