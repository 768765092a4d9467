import type { Node } from "@xyflow/react";
import { type Orientation, orientationIn } from "#app/scene/glyph";
import type { CanvasNode } from "#app/scene/graph";
import type { TensorView } from "#compile";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import type { CollectiveStep, Redistribution } from "#core/program";
import type { Lookup } from "./lookup.ts";
import type { ShownBox } from "./near-first.ts";

/** The parts of a box, each the very same object while it is unchanged. */
export interface Said {
  readonly operator?: Operator | undefined;
  readonly plan?: OperatorPlan | undefined;
  readonly tensor?: Tensor | undefined;
  readonly view?: TensorView | undefined;
  readonly orientation?: Orientation | undefined;
  readonly redistribution?: Redistribution | undefined;
  readonly steps?: readonly CollectiveStep[] | undefined;
}

/** What is drawn in a node of React Flow. */
export interface CardData extends Record<string, unknown> {
  readonly box: CanvasNode;
  readonly light: "on" | "off" | undefined;
  readonly said: Said;
}

/** A box of the canvas as a node of React Flow. */
export type CardNode = Node<CardData, "card">;

/**
 * Turns boxes into nodes, one list after the other. A box that says the same as before is the very
 * same node, so that React Flow leaves it alone.
 */
export function createCardNodes(): (boxes: readonly ShownBox[]) => CardNode[] {
  let before: ReadonlyMap<string, CardNode> = new Map();
  return (boxes) => {
    const nodes = boxes.map(({ node: box, version: { lookup, lightOf } }) => {
      const data = { box, light: lightOf(box), said: saidOf(box, lookup) };
      const had = before.get(box.id);
      return had !== undefined && isSame(had.data, data) ? had : cardNode(data);
    });
    before = new Map(nodes.map((node) => [node.id, node]));
    return nodes;
  };
}

/** Where the layout says, and as large: there is nothing to measure. */
function cardNode(data: CardData): CardNode {
  const { id, x, y, width, height } = data.box;
  return {
    id,
    data,
    type: "card",
    className: "box",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: [],
    style: pressable,
    domAttributes: plain,
  };
}

const pressable = { pointerEvents: "all" } as const;

/** A node is no thing of its own to a screen reader: what can be pressed stands inside it. */
const plain = { "aria-roledescription": undefined };

function isSame(a: CardData, b: CardData): boolean {
  return a.box === b.box && a.light === b.light && isSaidAlike(a.said, b.said);
}

function isSaidAlike(a: Said, b: Said): boolean {
  return (
    a.operator === b.operator &&
    a.plan === b.plan &&
    a.tensor === b.tensor &&
    a.view === b.view &&
    a.orientation === b.orientation &&
    a.redistribution === b.redistribution &&
    a.steps === b.steps
  );
}

function saidOf(box: CanvasNode, lookup: Lookup): Said {
  switch (box.kind) {
    case "operator": {
      const { operator } = box;
      const plan = lookup.compiled?.plan.operators.get(operator);
      return { operator: lookup.operators.get(operator), plan };
    }
    case "input":
    case "tensor":
      return tensorSaid(box.tensor, lookup);
    case "redistribution": {
      const { redistribution: index } = box;
      return {
        redistribution: lookup.redistributions.get(index),
        steps: lookup.collectives.get(index),
      };
    }
    case "output":
      return { tensor: lookup.tensors.get(box.tensor) };
    default:
      return {};
  }
}

function tensorSaid(id: TensorId, { compiled, tensors, views }: Lookup): Said {
  const tensor = tensors.get(id);
  const orientation = compiled && tensor && orientationIn(compiled, tensor);
  return { tensor, view: views.get(id), orientation };
}
