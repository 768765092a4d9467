// Shapes of parameters documented in a function's docstring or comments.

import type { FunctionValue } from "#language/python";

/** A size as documentation writes it: `N`, `batch_size`, `3 * d`, `H/2`, `<= n_ctx`. */
const size = String.raw`\s*(?:<=?\s*)?[\w.+*/\- ]+`;
const shape = new RegExp(
  String.raw`[([](${size}(?:,${size})+,?\s*|\s*\w+\s*,\s*|\s*[A-Z]\s*)[)\]]`,
  "g",
);

/**
 * Rank of a parameter documented in the function's docstring or comments, as in `x: (N, C, H, W)
 * tensor of inputs` or `# t: (N,)`; `undefined` when neither gives it.
 */
export function documentedRank(
  {
    docstring = "",
    nameSpan,
    bodySpan,
  }: Pick<FunctionValue, "docstring" | "nameSpan" | "bodySpan">,
  name: string,
  source: string,
): number | undefined {
  const comments = source.slice(nameSpan.to, bodySpan.to).match(/#[^\n]*/g) ?? [];
  const said = new RegExp(String.raw`^[\s#*:-]*(?:param\s+)?${name}\b\s*([:=([,-].*)$`, "u");
  // In running prose the parameter's name is in backquotes.
  const told = new RegExp("^[\\s#*:-]*`" + name + "`(.*\\bshape\\b.*)$", "u");
  for (const line of [...docstring.split("\n"), ...comments]) {
    const words = (said.exec(line) ?? told.exec(line))?.[1];
    if (words === undefined) continue;
    // The last bracket holds the shape: a type may be in brackets before it.
    const [, sizes] = [...words.matchAll(shape)].at(-1) ?? [];
    if (sizes !== undefined) return sizes.split(",").filter((each) => each.trim() !== "").length;
  }
  return undefined;
}
