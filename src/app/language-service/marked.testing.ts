import { examples } from "#app/examples";
import { type Facts, factsOf } from "./facts.ts";

/** A text without its mark `‸`, and the offset of the mark. */
function marked(text: string): { readonly source: string; readonly offset: number } {
  return { source: text.replace("‸", ""), offset: text.indexOf("‸") };
}

/** The facts of a marked text, and the offset of the mark. */
export function markedFacts(text: string): { readonly facts: Facts; readonly offset: number } {
  const { source, offset } = marked(text);
  return { facts: factsOf(source), offset };
}

/** An example's program with `‸` before or inside the n-th occurrence (from 1) of a text. */
export function exampleMarked(name: string, text: string, nth = 1): string {
  const program = examples.find((example) => example.name === name)?.program ?? "";
  const plain = text.replace("‸", "");
  let at = -1;
  for (let count = 0; count < nth; count += 1) at = program.indexOf(plain, at + 1);
  if (at < 0) throw new Error(`${name} has no ${plain}`);
  const place = at + Math.max(text.indexOf("‸"), 0);
  return `${program.slice(0, place)}‸${program.slice(place)}`;
}

/** Program text with too many operators for candidates to be tried after the time limit. */
export const manyOperators =
  "\nlong = Tensor((8, 4))\nfor at in range(61):\n    long = relu(long)\n";
