import { examples } from "#app/examples";
import { type Facts, factsOf } from "./facts.ts";

/** A text in which `‸` marks a place: the text without it, and where it stood. */
function marked(text: string): { readonly source: string; readonly offset: number } {
  return { source: text.replace("‸", ""), offset: text.indexOf("‸") };
}

/** The facts of a marked text, and the place. */
export function markedFacts(text: string): { readonly facts: Facts; readonly offset: number } {
  const { source, offset } = marked(text);
  return { facts: factsOf(source), offset };
}

/** An example's program with `‸` put before the n-th (from 1) occurrence of a text, or inside it. */
export function exampleMarked(name: string, text: string, nth = 1): string {
  const program = examples.find((example) => example.name === name)?.program ?? "";
  const plain = text.replace("‸", "");
  let at = -1;
  for (let count = 0; count < nth; count += 1) at = program.indexOf(plain, at + 1);
  if (at < 0) throw new Error(`${name} has no ${plain}`);
  const place = at + Math.max(text.indexOf("‸"), 0);
  return `${program.slice(0, place)}‸${program.slice(place)}`;
}

/** Makes a program too large for trying candidates when time is up. */
export const manyOperators =
  "\nlong = Tensor((8, 4))\nfor at in range(61):\n    long = relu(long)\n";
