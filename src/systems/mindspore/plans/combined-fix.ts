import type { Fix, Span } from "#core/diagnostics";
import type { ShardStrategy } from "#language/document/trace";
import type { OperatorModel } from "../operators/model-operator.ts";

/** A strategy entry that leads to wrong results, and the fix that rewrites it safely. */
export interface WrongPlace {
  readonly span: Span;
  readonly fix: Fix;
}

/**
 * The fix for an `out_strategy` entry that scatters rows over the contraction: without it the sums
 * are all-reduced, and the reader of the result slices it. `undefined` if the text has no such
 * entry.
 */
export function scatteredPlace(
  strategy: ShardStrategy | undefined,
  model: OperatorModel,
): WrongPlace | undefined {
  if (strategy === undefined || model.forward[0]?.primitive !== "ReduceScatter") return undefined;
  const found = strategy.kind === "layouts" ? rowsOfLayout(strategy) : rowsOfTuple(strategy, model);
  if (found === undefined) return undefined;
  const { span, text } = found;
  const title = `Add up whole: write ${text} for the rows of the result`;
  return { span, fix: { title, edits: [{ ...span, text }] } };
}

/**
 * The fix for columns of a product that are cut by the last axis, like its rows: keeps them whole
 * along it.
 */
export function sharedPlace(strategy: ShardStrategy | undefined): WrongPlace | undefined {
  if (strategy?.kind !== "layouts") return undefined;
  const [, second] = strategy.inputs;
  const last = second?.spec.aliasName.at(-1);
  const columns = second?.dims.find(({ axes }) => axes.some(({ name }) => name === last));
  if (columns === undefined) return undefined;
  const text = axesText(columns.axes.flatMap(({ name }) => (name === last ? [] : [name])));
  const title = `Keep the columns whole along "${last}": write ${text}`;
  return { span: columns.span, fix: { title, edits: [{ ...columns.span, text }] } };
}

/** Axis names as an entry of a called layout; `"None"` for none. */
function axesText(names: readonly string[]): string {
  const [only = '"None"', ...others] = names.map((name) => `"${name}"`);
  return others.length > 0 ? `(${[only, ...others].join(", ")})` : only;
}

function rowsOfLayout({
  inputs: [, second],
  outputs: [result] = [],
}: Extract<ShardStrategy, { kind: "layouts" }>) {
  const [rows] = result?.dims ?? [];
  if (rows === undefined || second === undefined) return undefined;
  const shared = new Set(second.dims.flatMap(({ axes }) => axes.map(({ name }) => name)));
  const kept = rows.axes.flatMap(({ name }) => (shared.has(name) ? [] : [name]));
  return { span: rows.span, text: axesText(kept) };
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
