import { NotWritten } from "#systems/arrays";
import { type DecoderWeight, dimNames, patternOf } from "./decoder-roles.ts";

/** A logical axis with the mesh axes of the plan that it lies over, outermost first. */
export type NamedAxes = readonly [name: string, axes: readonly string[]];

/** How weights lie by the names of their dims. */
export interface WeightRules {
  readonly rules: readonly NamedAxes[];
  /** Where weights rest otherwise than in the plan, as a sentence. */
  readonly note?: string;
}

/**
 * How weights lie by names. Where the plan cuts what rests over the axes of the batch along its first
 * dim, as ZeRO does, MaxText can only cut along `embed`, as its own rules do: that is said.
 *
 * @throws NotWritten where one name would need two different cuts
 */
export function weightRules(
  weights: readonly DecoderWeight[],
  batch: readonly string[],
): WeightRules {
  const exact = agreed(weights, (axes) => axes);
  if (typeof exact !== "string") return { rules: exact };
  const rest = batch.filter((axis) => matrices(weights).every(({ held }) => cuts(held.axes, axis)));
  if (rest.length === 0) throw new NotWritten(exact);
  const others = agreed(weights, (axes) => axes.filter((axis) => !rest.includes(axis)));
  if (typeof others === "string") throw new NotWritten(others);
  const rules = others.map(
    ([name, axes]): NamedAxes =>
      name === "embed" || name === "embed_vocab" ? [name, [...axes, ...rest]] : [name, axes],
  );
  return {
    rules,
    note: `Weights rest over ${rest.join(" and ")} along embed, norms and biases whole; the plan cuts dim 0 of each.`,
  };
}

function matrices(weights: readonly DecoderWeight[]): readonly DecoderWeight[] {
  return weights.filter(({ held }) => held.tensor.shape.length > 1);
}

function cuts(dims: readonly (readonly string[])[], axis: string): boolean {
  return dims.some((axes) => axes.includes(axis));
}

/** The axes of each name, on which all weights agree; else which do not, as half a sentence. */
function agreed(
  weights: readonly DecoderWeight[],
  asked: (axes: readonly string[]) => readonly string[],
): readonly NamedAxes[] | string {
  const found = new Map<string, { readonly axes: readonly string[]; readonly where: string }>();
  for (const { held, role } of weights)
    for (const [dim, all] of held.axes.entries()) {
      const name = dimNames[role][dim] ?? "";
      const [axes, where] = [asked(all), patternOf(held.name)];
      const known = found.get(name);
      if (known === undefined) found.set(name, { axes, where });
      else if (known.axes.join() !== axes.join())
        return `MaxText has one name, ${name}, for a dim that is ${said(known.axes)} in ${known.where} and ${said(axes)} in ${where}`;
    }
  return [...found].map(([name, { axes }]) => [name, axes]);
}

/** `cut over tp and dp`. */
export function said(axes: readonly string[]): string {
  return axes.length === 0 ? "whole" : `cut over ${axes.join(" and ")}`;
}
