import type { OnnxNode } from "./onnx-graph.ts";
import type { OnnxTerm } from "./values.ts";

/** A call of an ONNX operator, as its writers see it. */
export interface OnnxCall {
  readonly node: OnnxNode;
  /** Operands; `undefined` for an omitted one. */
  readonly inputs: readonly (OnnxTerm | undefined)[];
  /** Shape of a weight or input by operand position; `undefined` when unknown. */
  readonly shapeOf: (at: number) => readonly number[] | undefined;
  /** Version of the operator set. */
  readonly opset: number;
}

/** An expression for the result, a term computed here, or `undefined` for an unsupported form. */
export type OnnxMade = string | OnnxTerm | undefined;

export type WriteOnnx = (call: OnnxCall, x: string) => OnnxMade;

/** An integer attribute, or its default. */
export function intOf({ attributes }: OnnxNode, name: string, usual: number): number {
  return attributes.get(name)?.int ?? usual;
}

/** A float attribute in the digits of single precision, or its default. */
export function floatOf({ attributes }: OnnxNode, name: string, usual: number): number {
  const value = attributes.get(name)?.float;
  return value === undefined ? usual : Number(value.toPrecision(7));
}
