// What a function's own words say of the shapes of its parameters.

import type { FunctionValue } from "#language/python";

/** A size as words name it: `N`, `batch_size`, `3 * d`, `H/2`, `<= n_ctx`. */
const size = String.raw`\s*(?:<=?\s*)?[\w.+*/\- ]+`;
const shape = new RegExp(
  String.raw`[([](${size}(?:,${size})+,?\s*|\s*\w+\s*,\s*|\s*[A-Z]\s*)[)\]]`,
  "g",
);

/**
 * How many dims a parameter has by the function's docstring or a comment in it, as in
 * `x: (N, C, H, W) tensor of inputs` or `# t: (N,)`; nothing where neither says it.
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
  // A name in a sentence stands in quotes of code.
  const told = new RegExp("^[\\s#*:-]*`" + name + "`(.*\\bshape\\b.*)$", "u");
  for (const line of [...docstring.split("\n"), ...comments]) {
    const words = (said.exec(line) ?? told.exec(line))?.[1];
    if (words === undefined) continue;
    // The last one counts: a type may stand in brackets before it.
    const [, sizes] = [...words.matchAll(shape)].at(-1) ?? [];
    if (sizes !== undefined) return sizes.split(",").filter((each) => each.trim() !== "").length;
  }
  return undefined;
}
