import type { OperatorId } from "#core/ir";

/** An operator as a call inside the module that a text calls, as a tracer names it. */
export interface TextNode {
  /** The path of the module whose call makes it, e.g. `layers.0.attn`; empty for the outermost. */
  readonly module: string;
  /** The name of its function. */
  readonly name: string;
  /** Which of the function's inputs its operands are: numbers and texts are inputs too. */
  readonly inputs: readonly number[];
}

/** The module of a text that computes all its operators. */
export interface TextModel {
  /** Its class. */
  readonly name: string;
  /** How the text makes it, as it stands there; with no arguments where that is not found. */
  readonly made: string;
  readonly nodes: ReadonlyMap<OperatorId, TextNode>;
  /** Why no policy can make the plan of its operators, as half a sentence. */
  readonly refusal?: string;
}
