import fc from "fast-check";
import type { OpAnno } from "./annotation.ts";
import type { Argument } from "./argument.ts";
import { type Bound, bindAnnotation } from "./bind.ts";
import { axesOf } from "./index-axes.ts";
import { identifiersOf, parseAnnotation } from "./parse.ts";
import { decimalValue } from "./parse-shape.ts";

/** How often a property is tried; more in a soak. */
export function runs(count: number): { seed: number; numRuns: number } {
  const factor = process.env.SOAK === undefined ? 1 : 20;
  return { seed: 1, numRuns: count * factor };
}

const names = ["a", "b", "c", "k", "h_1", "é", "1", "2", "?", "*"];
const reductions = ["", "", "", "+", "^"];

/** Annotation texts of the grammar; a name keeps one reduction, so that most of them are sound. */
export const annotationTexts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...reductions), { minLength: names.length, maxLength: names.length })
  .chain((marks) => {
    const word = fc.nat(names.length - 1).map((at) => `${names[at]}${marks[at]}`);
    const bracket = fc.array(word, { maxLength: 3 }).map((words) => `(${words.join(" ")})`);
    const dim = fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: bracket });
    const shape = fc.array(dim, { maxLength: 4 }).map((dims) => dims.join(" "));
    const side = fc.array(shape, { maxLength: 3 }).map((shapes) => shapes.join(", "));
    return fc.tuple(side, side).map((sides) => sides.join(" -> "));
  });

/** Texts that are nearly annotations: valid ones with characters lost, doubled or strewn in. */
export const brokenTexts: fc.Arbitrary<string> = fc
  .tuple(
    annotationTexts,
    fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...'+^()*?,-> \t\n\u00a0²٣é😀\ud800\\"')), {
      maxLength: 5,
    }),
    fc.boolean(),
  )
  .map(([text, wounds, isInsertion]) => {
    return wounds.reduce((wounded, [at, character]) => {
      return wounded.slice(0, at) + character + wounded.slice(isInsertion ? at : at + 1);
    }, text);
  });

/** Bound annotations without `*`: every name has a size, and every size is also an argument. */
export const boundAnnotations: fc.Arbitrary<Bound> = fc
  .tuple(
    annotationTexts,
    fc.array(fc.constantFrom(1, 2, 3, 4, 6, 8), { minLength: 10, maxLength: 10 }),
  )
  .map(([text, sizes]) => {
    const parsed = parseAnnotation(text.replaceAll("*", "d"));
    return parsed.ok ? bindAll(parsed.value, sizes) : undefined;
  })
  .filter((bound) => bound !== undefined);

function bindAll(anno: OpAnno, sizes: readonly number[]): Bound | undefined {
  const lengths = new Map<string, number>();
  for (const { name, kind } of identifiersOf(anno)) {
    const size = kind === "number" ? decimalValue(name) : (sizes[lengths.size % sizes.length] ?? 1);
    if (!lengths.has(name)) lengths.set(name, size);
  }
  const inputs = anno.inputs.map((shape): Argument => {
    if (shape.ignored) return { kind: "plain", value: 5 };
    const product = (total: number, name: string) => total * (lengths.get(name) ?? 1);
    return {
      kind: "tensor",
      shape: shape.dims.map(({ identifiers }) =>
        identifiers.map(({ name }) => name).reduce(product, 1),
      ),
    };
  });
  const bound = bindAnnotation(anno, inputs, Object.fromEntries(lengths));
  return bound.ok ? bound.value : undefined;
}

/** First operand and dim in which an identifier can be cut; `undefined` if it is frozen. */
export function placeOfCut(
  bound: Bound,
  name: string,
): { readonly operand: number; readonly dim: number } | undefined {
  const { axes, inputs, outputs } = axesOf(bound);
  if (axes.find((axis) => axis.name === name)?.reduction === "^") return undefined;
  const places = [...inputs, ...outputs].map((dims, operand) => ({
    operand,
    dim: dims.findIndex(({ splittable }) => splittable === name),
  }));
  return places.find(({ dim }) => dim >= 0);
}
