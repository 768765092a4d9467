import type { Diagnostic, Span } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { Document } from "#language/document";
import type { CallPlace, TextPlace } from "#language/tokens";

/** What is said of a place of the text: one line of code, then plain sentences. */
export interface Hover {
  readonly span: Span;
  readonly title: string;
  readonly lines: readonly string[];
}

/** What a completion offers, for its icon and its order. */
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

/** One entry of a list: its text replaces the span of the list. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly insert: string;
  /** Beside the label: an annotation, a size, a change in bytes and seconds. */
  readonly detail: string;
  readonly meaning?: string;
  /** What is typed to find it, where that is not `insert`. */
  readonly filter?: string;
}

/** What may stand at a place, the best first. */
export interface CompletionList {
  readonly span: Span;
  readonly items: readonly CompletionItem[];
}

/** A parameter as it is shown, and what it means. */
export interface ParameterWords {
  readonly name: string;
  /** With its default or its stars: `optimizer="adam"`. */
  readonly shown: string;
  readonly meaning: string;
}

/** A word that can be called: how, and what it does. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly ParameterWords[];
  readonly meaning: string;
}

/** A program as an editor asks about it: its text, and what follows from it. */
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

/** What editors show of a system's words. */
export interface SystemExplains {
  /** What is said of a place, the most particular first. */
  readonly hovers: readonly ((text: ExplainedText, place: TextPlace) => Hover | undefined)[];
  /** Its words that are called, by name. */
  readonly signatures: ReadonlyMap<string, Signature>;
  /** An operator of its own, which goes before one of the library. */
  readonly operator?: (name: string) => Signature | undefined;
  /** Its layers by the names of their classes, with the parameters that their construction takes. */
  readonly layers?: ReadonlyMap<string, readonly string[]>;
  /** What one of its modules has beside the library, by the last part of its name. */
  readonly members?: (module: string) => readonly CompletionItem[];
  /** What may stand behind a keyword of a call. */
  readonly values?: (text: ExplainedText, call: CallPlace) => readonly CompletionItem[];
}
