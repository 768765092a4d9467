import { applyEdits, type TextEdit } from "#core/diagnostics";
import type { Document } from "#language/document";
import { callArguments } from "#language/document/edit";
import { readDocument } from "#systems";

/** What a step computes again for its backward pass: nothing, every block of a list, or some. */
export type Again = "none" | "full" | readonly string[];

/** A text whose `train(…)` says what is computed again, or why it cannot. */
export type RecomputeEdit =
  | { readonly source: string; readonly blocks: readonly string[] }
  | { readonly refusal: string };

/** Writes what a step computes again into its last `train(…)`. */
export function recomputeEdit(source: string, again: Again): RecomputeEdit {
  const document = readDocument(source);
  const call = document.trace.training.at(-1);
  if (call === undefined || !source.startsWith("train", call.span.from)) {
    return { refusal: "The text has no train(…) that could say what is computed again." };
  }
  const blocks = blocksOf(document);
  if (blocks.length === 0 && again !== "none") {
    return { refusal: "The text has no list of blocks: name operators in recompute=[…] by hand." };
  }
  const value = again === "none" ? undefined : again === "full" ? '"full"' : listText(again);
  const edit = argumentEdit(source, call.span, value);
  return { source: edit === undefined ? source : applyEdits(source, [edit]), blocks };
}

function listText(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
}

/** The blocks of lists of modules that operators are in, outermost, in the order in which they run. */
function blocksOf({ graph }: Document): readonly string[] {
  const names = graph.operators.flatMap(
    ({ name }) => /^([^[\]]+\[\d+\])\./.exec(name)?.slice(1) ?? [],
  );
  return [...new Set(names)];
}

/** Says `recompute=` anew in a call, at its end where it stands nowhere; or takes it out. */
function argumentEdit(
  source: string,
  call: Document["trace"]["training"][number]["span"],
  value: string | undefined,
): TextEdit | undefined {
  const written = callArguments(source, call);
  const at = written.findIndex(({ name }) => name === "recompute");
  const [known, before] = [written[at], written[at - 1]];
  if (known === undefined) {
    const end = written.at(-1)?.span.to ?? call.to - 1;
    return value === undefined ? undefined : { from: end, to: end, text: `, recompute=${value}` };
  }
  if (value !== undefined) return { ...known.valueSpan, text: value };
  return { from: before?.span.to ?? known.span.from, to: known.span.to, text: "" };
}
