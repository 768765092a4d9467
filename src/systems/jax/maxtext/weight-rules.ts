import { NotWritten } from "#systems/arrays";
import { type DecoderWeight, dimNames, patternOf } from "./decoder-roles.ts";

/** A logical axis with the mesh axes of the plan that cut it, outermost first. */
export type NamedAxes = readonly [name: string, axes: readonly string[]];

/** Layouts of weights by the names of their dims. */
export interface WeightRules {
  readonly rules: readonly NamedAxes[];
  /** A sentence on weights that rest otherwise than in the plan. */
  readonly note?: string;
}

/**
 * Mesh axes per dim name. If the plan cuts resting weights over the batch axes along their first
 * dim, as ZeRO does, MaxText can only cut along `embed`, as its own rules do; the note says so.
 *
 * @throws NotWritten when one name would need two different cuts
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

/** Mesh axes of each name, if all weights agree; else which ones do not, as half a sentence. */
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
