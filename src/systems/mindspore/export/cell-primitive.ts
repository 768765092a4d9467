import type { Json } from "#core/dimops";

/**
 * An operand of a primitive: an input of the operator, or a constant tensor that only MindSpore
 * needs.
 */
export type CellOperand =
  | { readonly kind: "input"; readonly at: number }
  | { readonly kind: "filled"; readonly name: string; readonly value: "ones" | "zeros" };

/** The MindSpore primitive with which a cell computes an operator. */
export interface CellPrimitive {
  readonly op: string;
  /** Arguments of the constructor, by name. */
  readonly arguments: Readonly<Record<string, Json>>;
  readonly operands: readonly CellOperand[];
  /** Arguments of a call after the tensors. */
  readonly trailing: readonly (readonly [name: string, value: Json])[];
  /** Whether the primitive's rule accepts Layouts; otherwise it needs tuples. */
  readonly takesLayouts: boolean;
  /** Whether every element of the result depends only on the same element of the operands. */
  readonly isElementWise: boolean;
  /** Number of results; the first is the operator's. */
  readonly results: number;
  /** How the primitive differs from the operator, as a clause of a sentence. */
  readonly differs?: string;
}

/** A primitive without arguments that takes tuples and only the operator's inputs. */
export function plain(op: string, inputs: number): CellPrimitive {
  return {
    op,
    arguments: {},
    operands: Array.from({ length: inputs }, (_, at) => input(at)),
    trailing: [],
    ...{ takesLayouts: false, isElementWise: false, results: 1 },
  };
}

export function input(at: number): CellOperand {
  return { kind: "input", at };
}
