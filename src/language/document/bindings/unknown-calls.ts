// Recording of calls whose result shapes are unknown.

import type { Span } from "#core/diagnostics";
import type { Attributes, LibraryEntry } from "#core/ir";
import type { OperatorCall } from "../trace/operator-call.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { isUnknownTensor } from "../trace/traced-call.ts";
import { attributesIn, shapeOf } from "./entry-calls.ts";
import type { CallStyle } from "./tensor-calls.ts";
import type { GivenCall } from "./typed-call.ts";

/** A library call that reads a tensor of unknown shape; it cannot be checked. */
export function unknownCall(
  entry: LibraryEntry,
  { op, stem = entry.name, strategy, primitive }: CallStyle,
  { bound, inputs }: GivenCall,
  types: NonNullable<OperatorCall["types"]>,
  span: Span,
): OperatorCall {
  const attributes = attributesIn(bound);
  const shape = entry.name === "reshape" ? givenShape(attributes) : undefined;
  const shapes = inputs.map((each) => (isUnknownTensor(each) ? undefined : shapeOf(each)));
  const text = shape ?? entry.annotate({ inputs: shapes, attributes });
  return {
    ...{ op, stem, annotations: [{ text }], inputs, span, integers: {}, linear: [] },
    ...{ results: "unknown" as const },
    ...(shape !== undefined && ({ results: "known", isReplicated: true } as const)),
    ...{ types, reducesInside: false },
    ...(strategy !== undefined && { strategy }),
    ...(primitive !== undefined && { primitive }),
  };
}

/** A call that makes `count` tensors of unknown shape. */
export function unknownResults(
  op: string,
  inputs: readonly TracedTensor[],
  count: number,
  span: Span,
): OperatorCall {
  const row = (length: number) => Array.from({ length }, () => "?").join(", ");
  const annotations = [{ text: `${row(inputs.length)} -> ${row(count)}` }];
  return {
    ...{ op, stem: op, annotations, inputs, span, integers: {} },
    ...{ linear: [], reducesInside: false, results: "unknown" },
  };
}

/**
 * Annotation of a reshape of an unknown tensor to a literal shape; `undefined` for other shapes.
 */
function givenShape({ shape }: Attributes): string | undefined {
  const sizes = typeof shape === "number" ? [shape] : shape;
  const isGiven = Array.isArray(sizes) && sizes.every((size) => Number(size) > 0);
  return isGiven ? `? -> ${sizes.join(" ")}` : undefined;
}
