import type { OperatorId, TensorId } from "#core/ir";

/**
 * A number in a text: a literal, the size of a dim (with the path of the module that reads it), or
 * a number computed from others.
 */
export type TextNumber =
  | { readonly kind: "known"; readonly value: number }
  | {
      readonly kind: "size";
      readonly value: number;
      readonly tensor: TensorId;
      readonly dim: number;
      readonly path?: string;
    }
  | {
      readonly kind: "made";
      readonly value: number;
      readonly operator: string;
      readonly operands: readonly TextNumber[];
    };

/** An argument of a module call: a tensor of the graph, or anything else. */
export interface GivenArgument {
  /** Name of a keyword argument. */
  readonly name?: string;
  readonly tensor?: TensorId;
}

/** One run of a module of the text. */
export interface TextRun {
  /** The path of the module, e.g. `blocks.0.attn`; empty for the outermost. */
  readonly path: string;
  readonly args: readonly GivenArgument[];
}

/** The modules of a text that has one outermost module, by their own dotted paths. */
export interface TextModules {
  /** The class of the outermost module. */
  readonly root: string;
  /**
   * For each operator, the innermost module whose call makes it; operators outside of all modules
   * are missing.
   */
  readonly pathOf: ReadonlyMap<OperatorId, string>;
  /**
   * Class names of a module by its path: its own class first, then the classes it inherits from.
   */
  readonly classesOf: ReadonlyMap<string, readonly string[]>;
  /** Integer attributes of modules, by path and name. */
  readonly held: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Every run of a module, in program order. */
  readonly runs: readonly TextRun[];
  /** Numbers passed to an operator, by parameter, if one of them is derived from a size. */
  readonly numbers: ReadonlyMap<OperatorId, ReadonlyMap<string, readonly TextNumber[]>>;
  /** Numbers from which tensors are made, if one of them is derived from a size. */
  readonly made: ReadonlyMap<TensorId, readonly TextNumber[]>;
}

/** Reads the modules of a text, or says why there are none, as half a sentence. */
export type ReadModules = () => TextModules | string;
