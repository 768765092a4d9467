import type { Operator } from "#core/ir";
import { fromFrontOf } from "./attribute-dims.ts";
import { dimNode, type ShapeOf, type SizeNode } from "./size-nodes.ts";

/**
 * Largest number of cells cut off at an end for which that number stays fixed when sizes change.
 */
const longestEnd = 8;

/** Slice, and how its size follows the size of its dim. */
export interface SliceSizes {
  readonly key: string;
  readonly dim: number;
  readonly whole: SizeNode;
  readonly part: SizeNode;
  readonly size: number;
  readonly start: number;
  readonly length: number;
  readonly step: number;
  /**
   * Part of the dim: whole; one cell; every n-th cell; one of several equal parts; all but a few
   * cells at its ends; as written.
   */
  readonly how: "all" | "one" | "strided" | "parts" | "ends" | "fixed";
}

/** The sizes of a slice; `undefined` for an operator that is no slice of one operand. */
export function sliceOf(
  { attributes, inputs, outputs }: Operator,
  shapeOf: ShapeOf,
): SliceSizes | undefined {
  const [input, output] = [inputs[0], outputs[0]];
  if (input === undefined || output === undefined) return undefined;
  const shape = shapeOf(input.tensor);
  const dim = fromFrontOf(attributes, shape.length);
  const size = shape[dim] ?? 1;
  const length = shapeOf(output.tensor)[dim] ?? 1;
  const asked = typeof attributes.start === "number" ? attributes.start : 0;
  const start = Math.min(size, Math.max(0, asked < 0 ? asked + size : asked));
  const step = typeof attributes.step === "number" ? Math.max(1, attributes.step) : 1;
  return {
    ...{ key: `${input.tensor} ${dim}`, dim, size, start, length, step },
    whole: dimNode(input.tensor, dim),
    part: dimNode(output.tensor, dim),
    how: howOf({ size, start, length, step }),
  };
}

function howOf({
  size,
  start,
  length,
  step,
}: Pick<SliceSizes, "size" | "start" | "length" | "step">): SliceSizes["how"] {
  if (step > 1 && size % step === 0 && length * step === size) return "strided";
  if (step !== 1 || length === 0) return "fixed";
  if (length === size) return "all";
  if (length === 1) return "one";
  if (size % length === 0 && start % length === 0) return "parts";
  return size - length <= longestEnd ? "ends" : "fixed";
}

/** The range of a slice on other sizes. */
export function slicedAt(
  { start, length, size, how }: SliceSizes,
  newSize: number,
  newLength: number,
  tilesBefore: number | undefined,
): { readonly start: number; readonly stop: number } {
  if (tilesBefore !== undefined) return { start: tilesBefore, stop: tilesBefore + newLength };
  switch (how) {
    case "all":
      return { start: 0, stop: newLength };
    case "one": {
      const from = start === size - 1 ? newSize - 1 : start;
      return { start: from, stop: from + 1 };
    }
    case "strided":
      return { start, stop: newSize };
    case "parts": {
      const from = (start / length) * newLength;
      return { start: from, stop: from + newLength };
    }
    case "ends":
    case "fixed":
      return { start, stop: start + newLength };
  }
}
