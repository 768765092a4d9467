import type { Compiled, TensorView } from "#compile";
import { unreachable } from "#core/diagnostics";
import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { CanvasNode } from "../graph/canvas.ts";
import { tensorsOf, viewsOf } from "../graph/tensor-caption.ts";
import { rememberedFor } from "../remembered.ts";
import type { Notation } from "../text/notation.ts";
import { badgeCard, countText, resultCard, runCard, stackCard } from "./block-card.ts";
import { type Card, type FarCard, row, rowsCard, words } from "./card.ts";
import { cutHues, operatorCard } from "./operator-card.ts";
import { inputCard, stateCard, tensorCard } from "./tensor-card.ts";

/** The source of cards: a plan, and its operators, tensors and tensor views by id. */
export interface CardSource {
  readonly compiled: Compiled | undefined;
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly tensors: ReadonlyMap<TensorId, Tensor>;
  readonly views: ReadonlyMap<TensorId, TensorView>;
}

/** The source of all cards of a compiled text, operators and tensors of training included. */
export function cardSourceOf(compiled: Compiled): CardSource {
  const { graph } = compiled.program;
  return {
    compiled,
    operators: operatorsOf(graph),
    tensors: tensorsOf(graph),
    views: viewsOf(compiled.tensors),
  };
}

const operatorsOf = rememberedFor(
  ({ operators }: Graph): ReadonlyMap<OperatorId, Operator> =>
    new Map(operators.map((operator) => [operator.id, operator])),
);

/** The card of a box according to the plan; the page adds the statuses `planned` and `stale`. */
export function cardOf(source: CardSource, node: CanvasNode, notation: Notation = "ours"): Card {
  switch (node.kind) {
    case "operator":
      return cardOfOperator(source, node);
    case "stack":
      return stackCard(node.stack);
    case "run":
      return runCard(node.run);
    case "input":
    case "tensor":
      return cardOfTensor(source, node, notation);
    case "redistribution":
      return badgeCard(node.badge, node.isShort);
    case "output":
      return resultCard(source.tensors.get(node.tensor)?.name ?? node.tensor);
    default:
      return unreachable(node);
  }
}

function cardOfOperator(
  { compiled, operators }: CardSource,
  { operator: id, name }: Extract<CanvasNode, { kind: "operator" }>,
): Card {
  const operator = operators.get(id);
  if (operator === undefined) return rowsCard(row(words("name", name)));
  const plan = compiled?.plan.operators.get(id);
  const isPinned = compiled?.pinned?.includes(id) === true;
  return operatorCard({ name, operator, plan, status: plan?.status ?? "inferred", isPinned });
}

function cardOfTensor(
  { tensors, views }: CardSource,
  node: Extract<CanvasNode, { kind: "input" | "tensor" }>,
  notation: Notation,
): Card {
  const [tensor, view] = [tensors.get(node.tensor), views.get(node.tensor)];
  if (tensor === undefined || view === undefined) return rowsCard();
  const facts = { tensor, view, notation };
  if (node.kind === "input") return inputCard({ ...facts, status: view.status });
  const { name } = node.caption;
  return node.side === "state" ? stateCard(name) : tensorCard({ ...facts, name });
}

/** The card of a box on a zoomed-out canvas; the name is empty if the box then shows no words. */
export function farCardOf({ compiled, tensors }: CardSource, node: CanvasNode): FarCard {
  switch (node.kind) {
    case "operator":
      return { name: node.name, bars: cutHues(compiled?.plan.operators.get(node.operator)) };
    case "stack": {
      const { label, count } = node.stack;
      const times = countText(count);
      return { name: label, bars: [], ...(times !== undefined && { count: times }) };
    }
    case "run":
      return { name: node.run.label, bars: [] };
    case "input":
      return { name: tensors.get(node.tensor)?.name ?? "", bars: [] };
    case "tensor":
      return { name: node.side === "state" ? "" : node.caption.name, bars: [] };
    case "redistribution":
      return {
        name: "",
        bars: node.badge.steps.flatMap((step) => step.axes.map(({ hue }) => hue)),
      };
    case "output":
      return { name: "", bars: [] };
    default:
      return unreachable(node);
  }
}
