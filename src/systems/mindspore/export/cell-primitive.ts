import type { Json } from "#core/dimops";

/** An operand of a primitive: an input of the operator, or a tensor that only MindSpore asks for. */
export type CellOperand =
  | { readonly kind: "input"; readonly at: number }
  | { readonly kind: "filled"; readonly name: string; readonly value: "ones" | "zeros" };

/** The primitive of MindSpore by which a cell computes an operator. */
export interface CellPrimitive {
  readonly op: string;
  /** Arguments of the constructor, by name. */
  readonly arguments: Readonly<Record<string, Json>>;
  readonly operands: readonly CellOperand[];
  /** Arguments that a call passes behind the tensors. */
  readonly trailing: readonly (readonly [name: string, value: Json])[];
  /** Whether the primitive's rule takes Layouts; otherwise it takes tuples. */
  readonly takesLayouts: boolean;
  /** Whether every element of the result comes from the same element of the operands. */
  readonly isElementWise: boolean;
  /** How many results it has; the first is the operator's. */
  readonly results: number;
  /** What differs from the operator, as half a sentence. */
  readonly differs?: string;
}

/** A primitive that takes tuples and nothing but the operator's inputs. */
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
