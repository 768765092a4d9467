import { applyEdits } from "#core/diagnostics";
import type { Document } from "#language/document";
import { readDocument } from "#systems";
import { trainCallEdits } from "./train-call.ts";

/** Blocks recomputed for the backward pass: none, every block of a list, or some by name. */
export type RecomputeSelection = "none" | "full" | readonly string[];

/** A text whose `train(…)` has the wanted recomputation, or why it cannot. */
export type RecomputeEdit =
  | { readonly source: string; readonly blocks: readonly string[] }
  | { readonly refusal: string };

/** Writes the recomputed blocks of a step into its last `train(…)`. */
export function recomputeEdit(source: string, again: RecomputeSelection): RecomputeEdit {
  const document = readDocument(source);
  const value = again === "none" ? undefined : again === "full" ? '"full"' : listText(again);
  const edits = trainCallEdits(document, { recompute: value });
  if (edits === undefined) {
    return { refusal: "The text has no train(…) that could say what is computed again." };
  }
  const blocks = blocksOf(document);
  if (blocks.length === 0 && again !== "none") {
    return { refusal: "The text has no list of blocks: name operators in recompute=[…] by hand." };
  }
  return { source: applyEdits(source, edits), blocks };
}

function listText(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
}

/** Blocks of the operators (elements of outermost module lists), in run order. */
function blocksOf({ graph }: Document): readonly string[] {
  const names = graph.operators.flatMap(
    ({ name }) => /^([^[\]]+\[\d+\])\./.exec(name)?.slice(1) ?? [],
  );
  return [...new Set(names)];
}
