import type { OperatorId } from "#core/ir";

/** An operator as a tracer names it: a call inside the module that the text calls. */
export interface TextNode {
  /** The path of the module whose call makes it, e.g. `layers.0.attn`; empty for the outermost. */
  readonly module: string;
  /** The name of its function. */
  readonly name: string;
  /** The positions of its operands among the function's inputs, which include numbers and texts. */
  readonly inputs: readonly number[];
}

/** Reads the module of a text that computes all its operators; `undefined` where there is none. */
export type ReadModel = () => TextModel | undefined;

/** The module class of a text that computes all its operators. */
export interface TextModel {
  /** Name of the class. */
  readonly name: string;
  /**
   * The expression that constructs it in the text; a call without arguments where there is none.
   */
  readonly made: string;
  readonly nodes: ReadonlyMap<OperatorId, TextNode>;
  /**
   * Why no policy can express the plan of its operators, as half a sentence; absent where one can.
   */
  readonly refusal?: string;
}
