import type { OperatorId, TensorId } from "#core/ir";

/**
 * A number of a text: one that only the text says, the size of a dim (with the path of the module that
 * asks for it), or one that is worked out.
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

/** What a module is given for a parameter: a tensor of the graph, or something else. */
export interface GivenArgument {
  /** Of an argument by name. */
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
  /** By path the names of a module's class and of those that it inherits from, its own first. */
  readonly classesOf: ReadonlyMap<string, readonly string[]>;
  /** The integer attributes of a module of the text, by path and name. */
  readonly held: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Every run of a module, in program order. */
  readonly runs: readonly TextRun[];
  /** The numbers that an operator is given, by parameter, where one of them follows from a size. */
  readonly numbers: ReadonlyMap<OperatorId, ReadonlyMap<string, readonly TextNumber[]>>;
  /** The numbers that tensors are made by, where one follows from a size. */
  readonly made: ReadonlyMap<TensorId, readonly TextNumber[]>;
}

/** Reads the modules of a text; or why the text has none, as half a sentence. */
export type ReadModules = () => TextModules | string;
