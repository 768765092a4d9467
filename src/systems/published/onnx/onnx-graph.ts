/** A tensor of a file: its numbers only where they are few. */
export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** ONNX's number of the type. */
  readonly type: number;
  /** Whole numbers or floats of a small constant; absent of a larger one. */
  readonly numbers?: readonly number[];
}

/** A value of the graph by its name; a dim that the file leaves open is its name. */
export interface OnnxValue {
  readonly name: string;
  readonly type: number;
  /** Absent where the file says no shape. */
  readonly shape?: readonly (number | string)[];
}

/** An attribute, in the form that it has. */
export interface OnnxAttribute {
  float?: number;
  int?: number;
  text?: string;
  ints?: readonly number[];
  floats?: readonly number[];
  tensor?: OnnxTensor;
  isGraph?: boolean;
}

/** An operator of the graph. */
export interface OnnxNode {
  readonly op: string;
  readonly domain: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
}

/** The graph of a model. */
export interface OnnxGraph {
  readonly name: string;
  readonly producer: string;
  /** The version of ONNX's own operators. */
  readonly opset: number;
  readonly nodes: readonly OnnxNode[];
  readonly weights: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly values: readonly OnnxValue[];
}

/** A file that is no model, with the reason. */
export class OnnxFault extends Error {}
