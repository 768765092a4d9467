import type { Fix, Span } from "#core/diagnostics";
import type { ShardStrategy } from "#language/document/words";
import type { OperatorModel } from "../operators/model-operator.ts";

/** Where a strategy asks for a scattered result, and the rewriting that has it added up whole. */
export interface ScatteredPlace {
  readonly span: Span;
  readonly fix: Fix;
}

/**
 * The entry of an `out_strategy` that scatters rows over the contraction, written without it: the sums
 * are added up whole, and who reads the result cuts it. Undefined where no such entry stands in the
 * text.
 */
export function scatteredPlace(
  strategy: ShardStrategy | undefined,
  model: OperatorModel,
): ScatteredPlace | undefined {
  if (strategy === undefined || model.forward[0]?.primitive !== "ReduceScatter") return undefined;
  const found = strategy.kind === "layouts" ? rowsOfLayout(strategy) : rowsOfTuple(strategy, model);
  if (found === undefined) return undefined;
  const { span, text } = found;
  const title = `Add up whole: write ${text} for the rows of the result`;
  return { span, fix: { title, edits: [{ ...span, text }] } };
}

function rowsOfLayout({
  inputs: [, second],
  outputs: [result] = [],
}: Extract<ShardStrategy, { kind: "layouts" }>) {
  const [rows] = result?.dims ?? [];
  if (rows === undefined || second === undefined) return undefined;
  const shared = new Set(second.dims.flatMap(({ axes }) => axes.map(({ name }) => name)));
  const kept = rows.axes.filter(({ name }) => !shared.has(name)).map(({ name }) => `"${name}"`);
  const [only = '"None"', ...others] = kept;
  return { span: rows.span, text: others.length > 0 ? `(${kept.join(", ")})` : only };
}

function rowsOfTuple(
  { outputs: [result = []] = [], outTree }: Extract<ShardStrategy, { kind: "tuples" }>,
  { forward }: OperatorModel,
) {
  const at = result.length - 2;
  const entry = outTree?.items[0]?.items[at];
  const pieces = result[at];
  const scattered = forward[0]?.group.length ?? 1;
  if (entry?.kind !== "literal" || pieces === undefined) return undefined;
  return { span: entry.span, text: String(pieces / scattered) };
}
