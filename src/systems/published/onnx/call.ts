import type { OnnxNode } from "./onnx-graph.ts";
import type { OnnxTerm } from "./values.ts";

/** What an operator is written with. */
export interface OnnxCall {
  readonly node: OnnxNode;
  /** Its operands; `undefined` for one that is left out. */
  readonly inputs: readonly (OnnxTerm | undefined)[];
  /** The shape of a weight or an input, by the operand's place; absent where it is not known. */
  readonly shapeOf: (at: number) => readonly number[] | undefined;
  /** The version of the operators' meaning. */
  readonly opset: number;
}

/** An expression for the result, a term that is worked out here, or nothing of an unknown form. */
export type OnnxMade = string | OnnxTerm | undefined;

export type WriteOnnx = (call: OnnxCall, x: string) => OnnxMade;

/** A whole number among attributes, or the usual one. */
export function intOf({ attributes }: OnnxNode, name: string, usual: number): number {
  return attributes.get(name)?.int ?? usual;
}

/** A float among attributes in as many digits as it has, or the usual one. */
export function floatOf({ attributes }: OnnxNode, name: string, usual: number): number {
  const value = attributes.get(name)?.float;
  return value === undefined ? usual : Number(value.toPrecision(7));
}
