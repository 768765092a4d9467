import { type ModuleNode, type Operator, type OperatorId, operatorsIn } from "#core/ir";
import { type Layout, layoutKey } from "#core/mesh";
import { viewsOf } from "../graph/tensor-caption.ts";
import { rememberedFor } from "../remembered.ts";
import type { BoardFacts, Send } from "./board-facts.ts";

/** What a module looks like on the board: equal texts look the same, row for row. */
export type LikenessOf = (node: ModuleNode) => string;

/**
 * Compares modules by all that is drawn of them: their operators, how these are cut and wired, how
 * their results lie, and what is sent for them in either pass.
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

function lookIn(
  facts: BoardFacts,
  operator: Operator,
  placeOf: ReadonlyMap<OperatorId, number>,
): string {
  const { compiled, tensors, labels } = facts;
  const plan = compiled.plan.operators.get(operator.id);
  const views = viewsOf(compiled.tensors);
  const wired = operator.inputs.map(({ tensor }) => {
    const { producer, role } = tensors.get(tensor) ?? {};
    const inside = producer === undefined ? undefined : placeOf.get(producer);
    const view = views.get(tensor);
    const lies = view === undefined ? "" : keyOf(view.atRest ?? view.layout);
    return inside ?? [role === "parameter" ? role : "before", lies].join(" ");
  });
  const made = operator.outputs.map(({ tensor }) => {
    const view = views.get(tensor);
    return view === undefined ? "" : keyOf(view.layout);
  });
  return [
    ...[labels.get(operator.id), lookOf(operator), ...wired, ...made],
    plan === undefined ? "" : strategyText(plan),
    ...(facts.sends.get(operator.id) ?? []).map(sendText),
  ].join(" | ");
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

function sendText({ redistribution: { bytes }, steps, lane }: Send): string {
  return [lane, bytes, ...steps.flatMap((step) => [step.collective, ...step.axes])].join(" ");
}
