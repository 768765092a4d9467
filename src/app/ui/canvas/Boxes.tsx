import { memo, useContext } from "react";
import type { CanvasNode } from "#app/scene";
import type { Compiled } from "#app/state";
import type { CollectiveStep } from "#core/program";
import { LitContext } from "../compare/lit-nodes.ts";
import { BadgeNode } from "./BadgeNode.tsx";
import { RunNode, StackNode } from "./BlockNodes.tsx";
import { type Lookup, LookupContext } from "./lookup.ts";
import { OperatorCard } from "./OperatorCard.tsx";
import { InputNode, TensorNode } from "./TensorNode.tsx";

/** The boxes in sight, each where the layout puts it; one that says the same is left alone. */
export const Boxes = memo(function Boxes({ nodes }: { readonly nodes: readonly CanvasNode[] }) {
  return nodes.map((node) => <Box key={node.id} node={node} />);
});

const Box = memo(function Box({ node }: { readonly node: CanvasNode }) {
  const { id, x, y, width, height } = node;
  return (
    <div
      className="box"
      data-box={id}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
    >
      <BoxContent node={node} />
    </div>
  );
});

const BoxContent = memo(function BoxContent({ node }: { readonly node: CanvasNode }) {
  const lookup = useContext(LookupContext);
  const light = useContext(LitContext)(node);
  const { compiled } = lookup;
  if (compiled === undefined) return null;
  return <div className={`light ${light ?? ""}`}>{contentOf(node, compiled, lookup)}</div>;
});

const none: readonly CollectiveStep[] = [];

function contentOf(
  node: CanvasNode,
  compiled: Compiled,
  { operators, tensors, views, redistributions, collectives }: Lookup,
) {
  switch (node.kind) {
    case "operator": {
      const operator = operators.get(node.operator);
      return (
        operator && (
          <OperatorCard
            id={node.id}
            name={node.name}
            operator={operator}
            plan={compiled.plan.operators.get(operator.id)}
          />
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
      const view = views.get(node.tensor);
      if (tensor === undefined || view === undefined) return null;
      const { id } = node;
      return node.kind === "input" ? (
        <InputNode id={id} tensor={tensor} view={view} />
      ) : (
        <TensorNode id={id} name={node.caption.name} tensor={tensor} view={view} />
      );
    }
    case "redistribution": {
      const { redistribution: index, badge, isShort } = node;
      const redistribution = redistributions.get(index);
      return (
        redistribution && (
          <BadgeNode
            id={node.id}
            redistribution={redistribution}
            steps={collectives.get(index) ?? none}
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
