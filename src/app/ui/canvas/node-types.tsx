import { memo, useContext } from "react";
import type { CanvasNode } from "#app/scene";
import type { Compiled } from "#app/state";
import { LitContext } from "../compare/lit-nodes.ts";
import { BadgeNode } from "./BadgeNode.tsx";
import { RunNode, StackNode } from "./BlockNodes.tsx";
import { type Lookup, LookupContext } from "./lookup.ts";
import { OperatorCard } from "./OperatorCard.tsx";
import { InputNode, TensorNode } from "./TensorNode.tsx";

/** What React Flow carries for a node: its place in our own layout. */
export interface FlowData extends Record<string, unknown> {
  readonly node: CanvasNode;
}

const CanvasNodeView = memo(function CanvasNodeView({ data }: { readonly data: FlowData }) {
  const lookup = useContext(LookupContext);
  const light = useContext(LitContext)(data.node);
  const { compiled } = lookup;
  if (compiled === undefined) return null;
  return <div className={`light ${light ?? ""}`}>{nodeView(data.node, compiled, lookup)}</div>;
});

/** One type for all of ours: the library styles the names `input` and `output` itself. */
export const nodeTypes = { planNode: CanvasNodeView };

function nodeView(
  node: CanvasNode,
  compiled: Compiled,
  { operators, tensors, redistributions }: Lookup,
) {
  switch (node.kind) {
    case "operator": {
      const operator = operators.get(node.operator);
      return (
        operator && (
          <OperatorCard id={node.id} name={node.name} compiled={compiled} operator={operator} />
        )
      );
    }
    case "stack":
      return <StackNode id={node.id} stack={node.stack} />;
    case "run":
      return <RunNode id={node.id} run={node.run} />;
    case "input":
    case "tensor": {
      const tensor = tensors.get(node.tensor);
      if (tensor === undefined) return null;
      const { id } = node;
      return node.kind === "input" ? (
        <InputNode id={id} compiled={compiled} tensor={tensor} />
      ) : (
        <TensorNode id={id} name={node.caption.name} compiled={compiled} tensor={tensor} />
      );
    }
    case "redistribution": {
      const { redistribution: index, badge, isShort } = node;
      const redistribution = redistributions.get(index);
      return (
        redistribution && (
          <BadgeNode
            id={node.id}
            compiled={compiled}
            redistribution={redistribution}
            badge={badge}
            isShort={isShort}
          />
        )
      );
    }
    case "output":
      return <span className="out-node">result {node.tensor}</span>;
  }
}
