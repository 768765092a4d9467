import type { Operator, OperatorId } from "#core/ir";
import { type AxisRole, AxisView } from "./operator-roles.ts";
import type { Pattern, PatternedPlan, PatternName } from "./patterns.ts";

/** An operator's part in a pattern: `megatron: columns over tp`. */
export interface PatternPart {
  readonly operator: OperatorId;
  readonly text: string;
}

/** The evidence for a pattern of a plan. */
export interface Grounds {
  /** Sentence that names operators and axes. */
  readonly text: string;
  /** The operators that an axis of the pattern cuts. */
  readonly parts: readonly PatternPart[];
}

type CutRole = Exclude<AxisRole, "whole">;

const roleWords: Readonly<Record<CutRole, string>> = {
  batch: "batch",
  column: "columns",
  row: "rows",
  expert: "experts",
  follow: "follows",
};

/** The cut of an axis in products with weights, as a sentence for each role. */
const roleSentences: Readonly<Record<Exclude<CutRole, "follow">, string>> = {
  batch: "what the weights lack in",
  column: "the columns of the weights of",
  row: "what is summed in",
  expert: "what weights, data and results share in",
};

/** Mark that distinguishes each pattern from others with the same roles. */
const marks: Readonly<Record<PatternName, string>> = {
  "data parallel": "the weights lie whole on every device",
  "ZeRO-1": "the weights lie whole, and zero=1 splits what the optimizer keeps",
  "ZeRO-2": "the weights lie whole, and zero=2 splits gradients and what the optimizer keeps",
  FSDP: "the weights lie in pieces too, and are gathered where they are used",
  HSDP: "the weights lie whole along the first axis and in pieces along the last",
  megatron: "what columns make is read by rows as it lies, so that only sums are exchanged",
  "sequence parallel":
    "what columns make is read by rows as it lies, and between such pairs the tokens lie cut",
  "column parallel": "no weight is gathered, and results lie cut as the columns do",
  "row parallel": "no weight is gathered, and results are sums over the devices",
  "vocabulary parallel": "what is cut are the rows of a table that is looked up",
  "loss parallel":
    "what is made is never gathered: who reads it combines a few sums over its parts",
  "expert parallel": "every device has experts of its own",
  "context parallel": "the tokens lie cut, and attention gathers those that it reads along",
  Ulysses: "before attention tokens are exchanged for another dim, and back behind it",
  "2-D weights": "one axis cuts what every weight keeps, the other what it sums over",
};

/** The most operators that are named. */
const mostNames = 3;

/** The evidence for a pattern of a plan, from the same roles as the pattern (planner.md §6.1). */
export function groundsOf(pattern: Pattern, plan: PatternedPlan): Grounds {
  const { name, axes } = pattern;
  const strategyOf = ({ id }: Operator) => plan.strategies.get(id);
  const views = axes.map((axis) => ({ axis, view: new AxisView(plan.graph, axis, strategyOf) }));
  const facts = byText(views.flatMap(({ axis, view }) => factsOf(axis, view)));
  const parts = plan.graph.operators.flatMap((operator): readonly PatternPart[] => {
    const roles = views.flatMap(({ axis, view }) => {
      const role = view.roleOf(operator);
      return role === "whole" ? [] : [{ axis, text: `${name}: ${roleWords[role]}` }];
    });
    return byText(roles).map(({ text, axes: own }) => ({
      operator: operator.id,
      text: `${text} over ${own.join(", ")}`,
    }));
  });
  const cuts = facts.map(({ text, axes: own }) =>
    own.length === 1 ? `${own[0]} cuts ${text}` : `${own.join(", ")} cut ${text}`,
  );
  return { text: `${cuts.join("; ")}; ${marks[name]}`, parts };
}

interface Fact {
  readonly axis: string;
  readonly text: string;
}

/** Facts by text, so that axes with equal facts share one sentence. */
function byText(
  facts: readonly Fact[],
): readonly { readonly text: string; readonly axes: readonly string[] }[] {
  const found = new Map<string, readonly string[]>();
  for (const { axis, text } of facts) found.set(text, [...(found.get(text) ?? []), axis]);
  return [...found].map(([text, axes]) => ({ text, axes }));
}

/**
 * The facts of an axis, one for each role that products have: `the columns of the weights of h, g`.
 */
function factsOf(axis: string, view: AxisView): readonly Fact[] {
  const roles = ["batch", "column", "row", "expert"] as const;
  return roles.flatMap((role) => {
    const names = view.products
      .filter((operator) => view.roleOf(operator) === role)
      .map((operator) => operator.name);
    return names.length === 0 ? [] : [{ axis, text: `${roleSentences[role]} ${listOf(names)}` }];
  });
}

function listOf(names: readonly string[]): string {
  const few = names.slice(0, mostNames).join(", ");
  const more = names.length - mostNames;
  return more > 0 ? `${few} and ${more} more` : few;
}
