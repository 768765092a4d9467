// The index space that a bound annotation gives an operator; equal calls share it.

import { axisIdentifiers, type Bound, indexAxesOf, operandDims } from "#core/dimops";
import type { Operand, Operator } from "#core/ir";

/** What a bound annotation says of every operator that it is bound for. */
export interface Space {
  readonly annotation: Bound["annotation"];
  readonly axes: Operator["axes"];
  /** By position, from the inputs on into the outputs. */
  readonly dims: readonly Operand["dims"][];
}

/** The space of a bound annotation. */
export type SpaceOf = (bound: Bound) => Space;

/** Spaces that are remembered; with more, all are forgotten. */
const mostSpaces = 20_000;

/** Spaces of graphs: equal calls share what they are bound to, which is read once. */
export function createSpaces(): SpaceOf {
  const spaces = new Map<Bound, Space>();
  const readings = new Map<Bound["annotation"], Reading>();
  return (bound) => {
    const known = spaces.get(bound);
    if (known !== undefined) return known;
    if (spaces.size >= mostSpaces) {
      spaces.clear();
      readings.clear();
    }
    const reading = readings.get(bound.annotation) ?? readingOf(bound);
    readings.set(bound.annotation, reading);
    const space = spaceFrom(bound, reading);
    spaces.set(bound, space);
    return space;
  };
}

/** What an annotation says of every call that is bound to it. */
interface Reading {
  readonly axes: ReturnType<typeof axisIdentifiers>;
  /** By what they depend on besides (`formOf`). */
  readonly dims: Map<string, Space["dims"]>;
}

function readingOf({ annotation }: Bound): Reading {
  return { axes: axisIdentifiers(annotation), dims: new Map() };
}

function spaceFrom(bound: Bound, { axes, dims }: Reading): Space {
  const form = formOf(bound);
  const found = dims.get(form) ?? dimsFrom(bound);
  dims.set(form, found);
  return { annotation: bound.annotation, axes: indexAxesOf(bound, axes), dims: found };
}

function dimsFrom(bound: Bound): Space["dims"] {
  return [...bound.inputs, ...bound.annotation.outputs].map((_, position) =>
    operandDims(bound, position).map(({ identifiers, splittable }) => ({
      identifiers,
      ...(splittable !== undefined && { splittable }),
    })),
  );
}

/** What the dims of an annotation depend on besides: which arguments are tensors, which sizes 1. */
function formOf({ inputs, sizes }: Bound): string {
  let form = "";
  for (const { kind } of inputs) form += kind === "tensor" ? "t" : "p";
  for (const [name, size] of sizes) if (size === 1) form += ` ${name}`;
  return form;
}
