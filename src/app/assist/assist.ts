import type { Compiled } from "#compile";
import { type Span, unreachable } from "#core/diagnostics";
import { type Fold, foldsOf } from "#language/tokens";
import { completeAt } from "./complete-at.ts";
import type { CompletionList } from "./completion.ts";
import { definitionAt } from "./definition.ts";
import { type Facts, factsOf } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { hoverAt } from "./hover-at.ts";
import {
  type RenameOutcome,
  type RenameTarget,
  renameAt,
  renameAxisTo,
  renameTargetAt,
} from "./rename.ts";
import { type SemanticWord, semanticWords } from "./semantic-words.ts";
import { type SignatureHelp, signatureAt } from "./signature-at.ts";

/** What an editor asks of a text; offsets are UTF-16 units. */
export type AssistRequest =
  | { readonly kind: "hover"; readonly offset: number }
  | { readonly kind: "complete"; readonly offset: number }
  | { readonly kind: "signature"; readonly offset: number }
  | { readonly kind: "definition"; readonly offset: number }
  | { readonly kind: "rename-target"; readonly offset: number }
  | { readonly kind: "rename"; readonly offset: number; readonly name: string }
  | { readonly kind: "rename-axis"; readonly axis: string; readonly name: string }
  | { readonly kind: "folds" }
  | { readonly kind: "words" };

/** The answer, of the request's own kind; a value is absent where there is nothing to say. */
export type AssistReply =
  | { readonly kind: "hover"; readonly hover?: Hover }
  | { readonly kind: "complete"; readonly list: CompletionList }
  | { readonly kind: "signature"; readonly help?: SignatureHelp }
  | { readonly kind: "definition"; readonly span?: Span }
  | { readonly kind: "rename-target"; readonly target: RenameTarget }
  | { readonly kind: "rename"; readonly outcome: RenameOutcome }
  | { readonly kind: "folds"; readonly folds: readonly Fold[] }
  | { readonly kind: "words"; readonly words: readonly SemanticWord[] };

/** Answers questions about texts, and remembers what it knows of the last one. */
export interface Assistant {
  readonly assist: (source: string, request: AssistRequest) => AssistReply;
  /** What follows from a text; questions about it then cost nothing more. */
  readonly compile: (source: string) => Compiled;
}

/** Candidates of a completion are tried for so long, in milliseconds; the rest say no change. */
const trialMilliseconds = 400;

/** @param now a clock in milliseconds, that bounds how long completions are tried */
export function createAssistant(now: () => number): Assistant {
  let last: Facts | undefined;
  const knownOf = (source: string): Facts => {
    const facts = last?.source === source ? last : factsOf(source);
    last = facts;
    return facts;
  };
  return {
    compile: (source) => knownOf(source).compiled,
    assist: (source, request) => {
      if (request.kind === "folds") return { kind: "folds", folds: foldsOf(source) };
      const facts = knownOf(source);
      const deadline = now() + trialMilliseconds;
      return replyOf(facts, request, () => now() > deadline);
    },
  };
}

function replyOf(
  facts: Facts,
  request: Exclude<AssistRequest, { kind: "folds" }>,
  isSpent: () => boolean,
): AssistReply {
  const { kind } = request;
  switch (kind) {
    case "hover": {
      const hover = hoverAt(facts, request.offset);
      return { kind, ...(hover !== undefined && { hover }) };
    }
    case "complete":
      return { kind, list: completeAt(facts, request.offset, isSpent) };
    case "signature": {
      const help = signatureAt(facts, request.offset);
      return { kind, ...(help !== undefined && { help }) };
    }
    case "definition": {
      const span = definitionAt(facts, request.offset);
      return { kind, ...(span !== undefined && { span }) };
    }
    case "rename-target":
      return { kind, target: renameTargetAt(facts, request.offset) };
    case "rename":
      return { kind, outcome: renameAt(facts, request.offset, request.name) };
    case "rename-axis":
      return { kind: "rename", outcome: renameAxisTo(facts, request.axis, request.name) };
    case "words":
      return { kind, words: semanticWords(facts) };
    default:
      return unreachable(kind);
  }
}
