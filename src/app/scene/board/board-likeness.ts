import {
  type ModuleNode,
  type Operator,
  type OperatorId,
  operatorsIn,
  wildcardPath,
} from "#core/ir";
import { type Layout, layoutKey } from "#core/mesh";
import { sameItems } from "#core/records";
import { viewsOf } from "../graph/tensor-caption.ts";
import { rememberedFor } from "../remembered.ts";
import type { BoardFacts } from "./board-facts.ts";

/**
 * A module's look on the board as a string key: modules with equal keys look the same, row for row.
 */
export type LikenessOf = (node: ModuleNode) => string;

/**
 * Compares modules by their drawing: operators with strategies and wiring, layouts of results, and
 * their collectives in both passes. Names are compared without layer numbers.
 */
export function createLikeness(facts: BoardFacts): LikenessOf {
  const known = new WeakMap<ModuleNode, string>();
  return (node) => {
    const before = known.get(node);
    if (before !== undefined) return before;
    const made = lookOfModule(facts, node);
    known.set(node, made);
    return made;
  };
}

function lookOfModule(facts: BoardFacts, node: ModuleNode): string {
  const operators = operatorsIn(node);
  const placeOf = new Map<OperatorId, number>(operators.map(({ id }, at) => [id, at]));
  return operators
    .map((operator) => [operator.module?.slice(node.path.length), lookIn(facts, operator, placeOf)])
    .join("\n");
}

/** The look of an operator, reused from the previous version if its parts are equal. */
function lookIn(
  facts: BoardFacts,
  operator: Operator,
  placeOf: ReadonlyMap<OperatorId, number>,
): string {
  const parts = partsOf(facts, operator, placeOf);
  const before = last.get(operator);
  if (before !== undefined && sameItems(before.parts, parts)) return before.text;
  const text = [lookOf(operator), ...parts.map(textOf)].join(" | ");
  last.set(operator, { parts, text });
  return text;
}

/** The last look of each operator. */
const last = new WeakMap<Operator, { readonly parts: readonly Part[]; readonly text: string }>();

/** A word, layout, strategy or list of mesh axes in an operator's look; compared by value. */
type Part =
  | string
  | number
  | undefined
  | Layout
  | { readonly strategy: unknown }
  | readonly string[];

function partsOf(
  { compiled, tensors, labels, sends }: BoardFacts,
  operator: Operator,
  placeOf: ReadonlyMap<OperatorId, number>,
): readonly Part[] {
  const views = viewsOf(compiled.tensors);
  const label = labels.get(operator.id);
  // The result of a module is named by the surrounding text; in the last module of a stack that
  // name differs.
  const isGiven = placeOf.get(operator.id) === placeOf.size - 1;
  const parts: Part[] = [isGiven || label === undefined ? undefined : wildcardPath(label)];
  for (const { tensor } of operator.inputs) {
    const { producer, role } = tensors.get(tensor) ?? {};
    const inside = producer === undefined ? undefined : placeOf.get(producer);
    const view = inside === undefined ? views.get(tensor) : undefined;
    const outside = role === "parameter" ? role : "before";
    parts.push(inside ?? outside, view?.atRest ?? view?.layout);
  }
  for (const { tensor } of operator.outputs) parts.push(views.get(tensor)?.layout);
  parts.push(compiled.plan.operators.get(operator.id));
  for (const { lane, redistribution, steps } of sends.get(operator.id) ?? []) {
    parts.push(lane, redistribution.bytes);
    for (const { collective, axes } of steps) parts.push(collective, axes);
  }
  return parts;
}

function textOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return `${part}`;
  if ("strategy" in part) return strategyText(part);
  return "mesh" in part ? keyOf(part) : part.join(" ");
}

const keyTexts = rememberedFor((layout: Layout) => ({ text: layoutKey(layout) }));
const keyOf = (layout: Layout) => keyTexts(layout).text;

const looks = rememberedFor(({ op, entry, axes, attributes }: Operator) => ({
  text: JSON.stringify([op, entry, axes.map(({ name, size }) => [name, size]), attributes]),
}));
const lookOf = (operator: Operator) => looks(operator).text;

const strategies = rememberedFor(({ strategy }: { readonly strategy: unknown }) => ({
  text: JSON.stringify(strategy),
}));
const strategyText = (plan: { readonly strategy: unknown }) => strategies(plan).text;
