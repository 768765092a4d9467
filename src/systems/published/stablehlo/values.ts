import type { TensorType } from "./mlir.ts";
import { countOf, isFloating, isSameShape, torchDtype, tupleOf } from "./types.ts";

/** A value of the module as the program holds it. */
export type Value =
  /**
   * A tensor, as an expression that may precede a dot. `shape` is the expression's own; the type's
   * shape follows by broadcasting, and the tensor is expanded only where the whole is needed.
   */
  | {
      readonly kind: "tensor";
      readonly text: string;
      readonly shape: readonly number[];
      readonly type: TensorType;
      /** The tensor of which it is a reshape. */
      readonly base?: { readonly text: string; readonly shape: readonly number[] };
      /** Dim along which its numbers are 0, 1, 2, … (an iota); absent otherwise. */
      readonly counts?: number;
    }
  /** The same number everywhere. */
  | { readonly kind: "number"; readonly value: number | boolean; readonly type: TensorType }
  /** `factor * name + offset`, where `name` is the counter of a loop. */
  | (Counter & { readonly kind: "counter"; readonly type: TensorType })
  /** A list to which each round of a loop appends one slice of a tensor. */
  | { readonly kind: "stack"; readonly list: string; readonly type: TensorType };

/** An integer derived from a loop counter. */
export interface Counter {
  readonly name: string;
  readonly factor: 1 | -1;
  readonly offset: number;
  /** Range of the counter itself, both ends included. */
  readonly least: number;
  readonly most: number;
}

/** A value that the program cannot express here; the whole operation is written another way. */
export class ValueFault extends Error {
  /** The list that was read as a tensor, if that is the fault. */
  readonly list: string | undefined;

  constructor(message: string, list?: string) {
    super(message);
    this.list = list;
  }
}

/** A tensor bound to a name. */
export function tensorValue(text: string, type: TensorType): Value & { readonly kind: "tensor" } {
  return { kind: "tensor", text, shape: type.shape, type };
}

/** A number as a Python literal. */
export function numberText(value: number | boolean, dtype: string): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Number.isNaN(value)) return 'float("nan")';
  if (!Number.isFinite(value)) return value > 0 ? 'float("inf")' : 'float("-inf")';
  const text = String(value);
  return isFloating(dtype) && /^-?\d+$/u.test(text) ? `${text}.0` : text;
}

/** A counter as a Python expression: `i`, `i + 1`, `2 - i`. */
export function counterText({ name, factor, offset }: Counter, more = 0): string {
  const sum = offset + more;
  if (factor === -1) return `${sum} - ${name}`;
  if (sum === 0) return name;
  return sum > 0 ? `${name} + ${sum}` : `${name} - ${-sum}`;
}

/** The least and largest value of a counter. */
export function rangeOf({ factor, offset, least, most }: Counter): readonly [number, number] {
  return factor === 1 ? [least + offset, most + offset] : [offset - most, offset - least];
}

/** A value as a tensor of exactly its type's shape. */
export function wholeText(value: Value): string {
  const { type } = value;
  switch (value.kind) {
    case "number":
      return filled(type, numberText(value.value, type.dtype));
    case "counter":
      return filled(type, counterText(value));
    case "stack":
      throw new ValueFault("a list is read inside its loop", value.list);
    case "tensor":
      if (isSameShape(value.shape, type.shape)) return value.text;
      if (countOf(value.shape) === 1 && type.shape.length === 0) return `${value.text}.squeeze()`;
      return countOf(value.shape) === countOf(type.shape)
        ? `${value.text}.reshape(${tupleOf(type.shape)})`
        : `${value.text}.expand(${type.shape.join(", ")})`;
  }
}

function filled({ shape, dtype }: TensorType, number: string): string {
  const type = torchDtype(dtype);
  return `torch.full(${tupleOf(shape)}, ${number}${type === undefined ? "" : `, dtype=${type}`})`;
}

/** Expression of a value and its own shape, for use where broadcasting expands it. */
export function broadcastText(value: Value): {
  readonly text: string;
  readonly shape: readonly number[];
} {
  switch (value.kind) {
    case "number":
      return { text: numberText(value.value, value.type.dtype), shape: [] };
    case "counter":
      return { text: `(${counterText(value)})`, shape: [] };
    case "tensor":
      return value;
    case "stack":
      throw new ValueFault("a list is read inside its loop", value.list);
  }
}
