import { memo } from "react";
import { type CanvasNode, type Orientation, orientationIn } from "#app/scene";
import type { TensorView } from "#app/state";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import type { CollectiveStep, Redistribution } from "#core/program";
import { BadgeNode } from "./BadgeNode.tsx";
import { RunNode, StackNode } from "./BlockNodes.tsx";
import type { Lookup } from "./lookup.ts";
import type { ShownBox } from "./near-first.ts";
import { OperatorCard } from "./OperatorCard.tsx";
import { InputNode, TensorNode } from "./TensorNode.tsx";

/** Boxes, each where the layout puts it; one that says the same is left alone. */
export const Boxes = memo(function Boxes({ boxes }: { readonly boxes: readonly ShownBox[] }) {
  return boxes.map(({ node, version: { lookup, lightOf } }) => (
    <Box key={node.id} node={node} light={lightOf(node)} {...saidOf(node, lookup)} />
  ));
});

/** What a box speaks of, piece by piece: each is the very same object while it says the same. */
interface Said {
  readonly operator?: Operator | undefined;
  readonly plan?: OperatorPlan | undefined;
  readonly tensor?: Tensor | undefined;
  readonly view?: TensorView | undefined;
  readonly orientation?: Orientation | undefined;
  readonly redistribution?: Redistribution | undefined;
  readonly steps?: readonly CollectiveStep[] | undefined;
}

function saidOf(node: CanvasNode, lookup: Lookup): Said {
  switch (node.kind) {
    case "operator": {
      const { operator } = node;
      const plan = lookup.compiled?.plan.operators.get(operator);
      return { operator: lookup.operators.get(operator), plan };
    }
    case "input":
    case "tensor":
      return tensorSaid(node.tensor, lookup);
    case "redistribution": {
      const { redistribution: index } = node;
      return {
        redistribution: lookup.redistributions.get(index),
        steps: lookup.collectives.get(index),
      };
    }
    default:
      return {};
  }
}

function tensorSaid(id: TensorId, { compiled, tensors, views }: Lookup): Said {
  const tensor = tensors.get(id);
  const orientation = compiled && tensor && orientationIn(compiled, tensor);
  return { tensor, view: views.get(id), orientation };
}

interface BoxProps extends Said {
  readonly node: CanvasNode;
  readonly light: "on" | "off" | undefined;
}

const Box = memo(function Box({ node, light, ...said }: BoxProps) {
  const { id, x, y, width, height } = node;
  return (
    <div
      className="box"
      data-box={id}
      style={{ transform: `translate(${x}px, ${y}px)`, width, height }}
    >
      <div className={`light ${light ?? ""}`}>{contentOf(node, said)}</div>
    </div>
  );
});

const none: readonly CollectiveStep[] = [];

function contentOf(node: CanvasNode, said: Said) {
  const { operator, plan, tensor, view, orientation, redistribution, steps = none } = said;
  const { id } = node;
  const drawn = tensor && view && orientation && { id, tensor, view, orientation };
  switch (node.kind) {
    case "operator":
      return operator && <OperatorCard {...{ id, operator, plan }} name={node.name} />;
    case "stack":
      return <StackNode id={id} stack={node.stack} />;
    case "run":
      return <RunNode id={id} run={node.run} />;
    case "input":
      return drawn && <InputNode {...drawn} />;
    case "tensor":
      return drawn && <TensorNode {...drawn} name={node.caption.name} side={node.side} />;
    case "redistribution": {
      const { badge, isShort } = node;
      return redistribution && <BadgeNode {...{ id, redistribution, steps, badge, isShort }} />;
    }
    case "output":
      return <span className="out-node">result {node.tensor}</span>;
  }
}
