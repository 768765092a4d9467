import { type Compiled, createDocumentCompiler, exportLoom } from "#compile";
import { unreachable } from "#core/diagnostics";
import type { Document } from "#language/document";
import { splitTexts } from "#language/texts";
import { foldsOf, jsonFolds } from "#language/tokens";
import { createDocumentReader } from "#systems";
import { actionsAt } from "./actions.ts";
import { completeAt } from "./complete-at.ts";
import { definitionAt } from "./definition.ts";
import { type Facts, factsOf } from "./facts.ts";
import { hoverAt } from "./hover-at.ts";
import { assistLoomText, type LoomText, loomTextOf } from "./loom-assist.ts";
import { movedReply } from "./moved-reply.ts";
import { renameAt, renameAxisTo, renameTargetAt } from "./rename.ts";
import type { AssistReply, AssistRequest, TextRequest } from "./request.ts";
import { semanticWords } from "./semantic-words.ts";
import { signatureAt } from "./signature-at.ts";

/** Answers questions about texts, and remembers what it knows of the last one. */
export interface Assistant {
  readonly assist: (source: string, request: AssistRequest) => AssistReply;
  /** What follows from a text; questions about it then cost nothing more. */
  readonly compile: (source: string) => Compiled;
}

/** Candidates of a completion are tried for so long, in milliseconds; the rest say no change. */
const trialMilliseconds = 400;

/** Actions are asked for by hand, so more time is taken to try them. */
const actionMilliseconds = 1_500;

/** @param now a clock in milliseconds, that bounds how long completions are tried */
export function createAssistant(now: () => number): Assistant {
  const [read, compile] = [createDocumentReader(), createDocumentCompiler()];
  let last: Known | undefined;
  const knownOf = (source: string): Known => {
    const known = last?.source === source ? last : knownFrom(source, compile, read);
    last = known;
    return known;
  };
  return {
    compile: (source) => knownOf(source).compiled,
    assist: (source, request) => {
      // They are asked for after every edit, and need nothing that follows from the text.
      if (request.kind === "folds") return foldsReply(source, request);
      const known = knownOf(source);
      const patience = request.kind === "actions" ? actionMilliseconds : trialMilliseconds;
      const deadline = now() + patience;
      const isSpent = () => now() > deadline;
      if (request.kind === "loom") {
        const compiled = known.kind === "loom" ? known.loom.apart : known.compiled;
        return { kind: "loom", loom: exportLoom(compiled, { dialect: request.dialect }) };
      }
      return known.kind === "loom"
        ? assistLoomText(known.loom, request, (facts, asked) => replyOf(facts, asked, isSpent))
        : replyOf(known.facts, request, isSpent);
    },
  };
}

function foldsReply(
  source: string,
  { of }: Extract<AssistRequest, { kind: "folds" }>,
): AssistReply {
  const texts = splitTexts(source);
  if (texts === undefined) return { kind: "folds", folds: foldsOf(source) };
  if (of !== "plan") return { kind: "folds", folds: jsonFolds(texts.json) };
  return movedReply({ kind: "folds", folds: foldsOf(texts.plan) }, (at) => at + texts.planFrom);
}

/** A text with what follows from it: a program, or a LoomGraph and its plan. */
type Known = { readonly source: string; readonly compiled: Compiled } & (
  | { readonly kind: "program"; readonly facts: Facts }
  | { readonly kind: "loom"; readonly loom: LoomText }
);

function knownFrom(
  source: string,
  compile: (document: Document) => Compiled,
  read: (source: string) => Document,
): Known {
  const loom = loomTextOf(source);
  if (loom !== undefined) return { kind: "loom", source, compiled: loom.compiled, loom };
  const facts = factsOf(source, compile, read);
  return { kind: "program", source, compiled: facts.compiled, facts };
}

function replyOf(facts: Facts, request: TextRequest, isSpent: () => boolean): AssistReply {
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
    case "actions":
      return { kind, actions: actionsAt(facts, request.offset, isSpent) };
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
