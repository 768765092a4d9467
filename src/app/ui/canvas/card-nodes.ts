import type { Node } from "@xyflow/react";
import { type Orientation, orientationIn } from "#app/scene/glyph";
import type { CanvasNode } from "#app/scene/graph";
import type { TensorView } from "#compile";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import type { CollectiveStep, Redistribution } from "#core/program";
import type { Lookup } from "./lookup.ts";
import type { ShownBox } from "./near-first.ts";

/** Parts of the plan that a box shows; each keeps its identity while it is unchanged. */
export interface Said {
  readonly operator?: Operator | undefined;
  readonly plan?: OperatorPlan | undefined;
  readonly tensor?: Tensor | undefined;
  readonly view?: TensorView | undefined;
  readonly orientation?: Orientation | undefined;
  readonly redistribution?: Redistribution | undefined;
  readonly steps?: readonly CollectiveStep[] | undefined;
}

/** Data of a React Flow node. */
export interface CardData extends Record<string, unknown> {
  readonly box: CanvasNode;
  readonly light: "on" | "off" | undefined;
  readonly said: Said;
}

/** Box of the canvas as a React Flow node. */
export type CardNode = Node<CardData, "card">;

/**
 * Turns successive lists of boxes into nodes. An unchanged box keeps its node object, so that React
 * Flow does not render it again.
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

/** Node at the layout's place and size, so that React Flow measures nothing. */
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

/** No role description: a screen reader meets the controls inside a node, not the node. */
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
