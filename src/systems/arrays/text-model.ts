import type { OperatorId } from "#core/ir";

/** An operator as a tracer names it: a call inside the text's model. */
export interface TextNode {
  /** Path of the module that makes the call, e.g. `layers.0.attn`; empty for the outermost. */
  readonly module: string;
  /** The name of its function. */
  readonly name: string;
  /** Positions of its operands among the function's inputs, numbers and texts included. */
  readonly inputs: readonly number[];
}

/** Reads the module of a text that computes all its operators; `undefined` when there is none. */
export type ReadModel = () => TextModel | undefined;

/** The module class of a text that computes all its operators. */
export interface TextModel {
  /** Name of the class. */
  readonly name: string;
  /** Expression that constructs it in the text; if there is none, a call without arguments. */
  readonly made: string;
  readonly nodes: ReadonlyMap<OperatorId, TextNode>;
  /**
   * Why no policy can express the plan of its operators, as half a sentence; absent where one can.
   */
  readonly refusal?: string;
}
