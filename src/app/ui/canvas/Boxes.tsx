import { memo } from "react";
import type { CanvasNode } from "#app/scene";
import type { Compiled } from "#app/state";
import type { CollectiveStep } from "#core/program";
import { BadgeNode } from "./BadgeNode.tsx";
import { RunNode, StackNode } from "./BlockNodes.tsx";
import type { Lookup } from "./lookup.ts";
import type { ShownBox } from "./near-first.ts";
import { OperatorCard } from "./OperatorCard.tsx";
import { InputNode, TensorNode } from "./TensorNode.tsx";

/** Boxes, each where the layout puts it; one that says the same is left alone. */
export const Boxes = memo(function Boxes({ boxes }: { readonly boxes: readonly ShownBox[] }) {
  return boxes.map(({ node, version: { lookup, lightOf } }) => (
    <Box key={node.id} node={node} lookup={lookup} light={lightOf(node)} />
  ));
});

interface BoxProps {
  readonly node: CanvasNode;
  readonly lookup: Lookup;
  readonly light: "on" | "off" | undefined;
}

const Box = memo(function Box({ node, lookup, light }: BoxProps) {
  const { id, x, y, width, height } = node;
  const { compiled } = lookup;
  return (
    <div
      className="box"
      data-box={id}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
    >
      {compiled !== undefined && (
        <div className={`light ${light ?? ""}`}>{contentOf(node, compiled, lookup)}</div>
      )}
    </div>
  );
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
