import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { Document } from "#language/document";
import type { CallPlace, TextPlace } from "#language/tokens";

/** A hover: one line of code as its title, then plain sentences. */
export interface Hover {
  readonly span: Span;
  readonly title: string;
  readonly lines: readonly string[];
}

/** The kind of a completion, which chooses its icon and its rank. */
export type CompletionKind =
  | "axis"
  | "count"
  | "identifier"
  | "tensor"
  | "parameter"
  | "word"
  | "operator"
  | "name"
  | "dtype";

/** One completion: `insert` replaces the span of the list. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly insert: string;
  /** Text after the label: an annotation, a size, a change in bytes and seconds. */
  readonly detail: string;
  readonly meaning?: string;
  /** Text that finds it while typing, if not `insert`. */
  readonly filter?: string;
}

/** The completions at a position, the best first. */
export interface CompletionList {
  readonly span: Span;
  readonly items: readonly CompletionItem[];
}

/** A parameter with its display text and meaning. */
export interface ParameterWords {
  readonly name: string;
  /** Display text with its default or its stars: `optimizer="adam"`. */
  readonly shown: string;
  readonly meaning: string;
}

/** A callable name with its parameters and its meaning. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly ParameterWords[];
  readonly meaning: string;
}

/** A program as the language service knows it: its text, read and compiled. */
export interface ExplainedText {
  readonly source: string;
  readonly document: Document;
  readonly compiled: {
    readonly graph: Graph;
    readonly plan: Plan;
    readonly mesh: { readonly mesh: DeviceMesh };
    readonly diagnostics: readonly Diagnostic[];
  };
}

/** Editor services for a system's names. */
export interface SystemExplains {
  /** Hovers at a position, the most specific first. */
  readonly hovers: readonly ((text: ExplainedText, place: TextPlace) => Hover | undefined)[];
  /** Its callable names. */
  readonly signatures: ReadonlyMap<string, Signature>;
  /** The signature of an operator of its own, which takes precedence over the library's. */
  readonly operator?: (name: string) => Signature | undefined;
  /** The system's layers by class name, with the parameters of their constructors. */
  readonly layers?: ReadonlyMap<string, readonly string[]>;
  /**
   * Members of one of its modules that are not in the library, by the last part of the module's
   * name.
   */
  readonly members?: (module: string) => readonly CompletionItem[];
  /** Completions for the value of a keyword argument. */
  readonly values?: (text: ExplainedText, call: CallPlace) => readonly CompletionItem[];
}
