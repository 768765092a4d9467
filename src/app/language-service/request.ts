import type { WrittenGraph } from "#compile";
import type { Checked, Fix, Span, TextEdit } from "#core/diagnostics";
import type { SettingsInText } from "#edit/settings";
import type { Fold } from "#language/tokens";
import type { ParallelSettings } from "#systems/settings";
import type { GraphEdit } from "#systems/system/graph";
import type { CompletionList } from "./completion.ts";
import type { Hover } from "./hover.ts";
import type { RenameOutcome, RenameTarget } from "./rename.ts";
import type { SemanticWord } from "./semantic-words.ts";
import type { SignatureHelp } from "./signature-at.ts";

/** A request of an editor about a text; offsets are UTF-16 units. */
export type LanguageRequest =
  | { readonly kind: "hover"; readonly offset: number }
  | { readonly kind: "complete"; readonly offset: number }
  | { readonly kind: "signature"; readonly offset: number }
  | { readonly kind: "definition"; readonly offset: number }
  /** Edits that avoid or shrink redistributions of the tensor at an offset. */
  | { readonly kind: "actions"; readonly offset: number }
  | { readonly kind: "rename-target"; readonly offset: number }
  | { readonly kind: "rename"; readonly offset: number; readonly name: string }
  | { readonly kind: "rename-axis"; readonly axis: string; readonly name: string }
  /**
   * The text as a graph: whole operations with a separate plan (`op`), or operations with their
   * shards (`app`).
   */
  | { readonly kind: "graph"; readonly dialect: "op" | "app" }
  /** A change of a node; only for a text that is a graph. */
  | { readonly kind: "edit-graph"; readonly edit: GraphEdit }
  /** A program changed to run with the settings of a trainer or a server. */
  | { readonly kind: "apply-settings"; readonly settings: ParallelSettings }
  /** Foldable ranges; for a graph those of the JSON or, with `of`, those of its plan. */
  | { readonly kind: "folds"; readonly of?: "plan" }
  | { readonly kind: "words" };

/** The requests that need the compiled text. */
export type TextRequest = Exclude<
  LanguageRequest,
  { readonly kind: "graph" | "edit-graph" | "apply-settings" | "folds" }
>;

/** The reply, of the same kind as the request; its value is absent if there is none. */
export type LanguageReply =
  | { readonly kind: "graph"; readonly graph: WrittenGraph }
  /** Absent if the text has no such node or range. */
  | { readonly kind: "edit-graph"; readonly edits?: readonly TextEdit[] }
  | {
      readonly kind: "apply-settings";
      /** The text with the settings; if the text cannot express them, both stay unchanged. */
      readonly outcome: Checked<SettingsInText>;
    }
  | { readonly kind: "hover"; readonly hover?: Hover }
  | { readonly kind: "complete"; readonly list: CompletionList }
  | { readonly kind: "signature"; readonly help?: SignatureHelp }
  | { readonly kind: "definition"; readonly span?: Span }
  | { readonly kind: "actions"; readonly actions: readonly Fix[] }
  | { readonly kind: "rename-target"; readonly target: RenameTarget }
  | { readonly kind: "rename"; readonly outcome: RenameOutcome }
  | { readonly kind: "folds"; readonly folds: readonly Fold[] }
  | { readonly kind: "words"; readonly words: readonly SemanticWord[] };
