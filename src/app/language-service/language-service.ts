import { type Compiled, createDocumentCompiler, exportGraph } from "#compile";
import { failed, unreachable } from "#core/diagnostics";
import { createLruCache } from "#core/records";
import { type Gesture, type GestureOutcome, gestureIn } from "#edit";
import { settingsIntoText } from "#edit/settings";
import { splitTexts } from "#language/texts";
import { createGrammar, foldsOf, type Grammar, jsonFolds } from "#language/tokens";
import { createDocumentReader, graphFormatOf, readDocument } from "#systems";
import { actionsAt } from "./actions.ts";
import { completeAt } from "./complete-at.ts";
import { definitionAt } from "./definition.ts";
import { type Facts, factsOf } from "./facts.ts";
import { assistGraphText, type GraphText, graphTextOf } from "./graph-text.ts";
import { hoverAt } from "./hover-at.ts";
import { movedReply } from "./moved-reply.ts";
import { renameAt, renameAxisTo, renameTargetAt } from "./rename.ts";
import type { LanguageReply, LanguageRequest, TextRequest } from "./request.ts";
import { semanticWords } from "./semantic-words.ts";
import { signatureAt } from "./signature-at.ts";
import { gestureText } from "./two-texts.ts";

/** Answers an editor's requests about texts, and caches the results for the last few. */
export interface LanguageService {
  readonly assist: (source: string, request: LanguageRequest) => LanguageReply;
  /** The compiled text, cached for requests about it. */
  readonly compile: (source: string) => Compiled;
  /** The text after a gesture; the new text is compiled and cached too. */
  readonly gesture: (source: string, gesture: Gesture) => GestureOutcome;
}

/**
 * Time limit (ms) for trying the candidates of a completion; the rest are listed without their
 * effect.
 */
const trialMilliseconds = 400;

/** Time limit (ms) for trying code actions; longer, since they are requested explicitly. */
const actionMilliseconds = 1_500;

/** Number of cached texts: a text, the one before it, and those tried in between. */
const mostKnown = 6;

/**
 * A service with an empty cache.
 *
 * @param now clock in milliseconds, which limits how long completions are tried
 */
export function createLanguageService(now: () => number): LanguageService {
  const grammar = createGrammar();
  const knownOf = createMemory(grammar);
  return {
    compile: (source) => knownOf(source).compiled,
    gesture: (source, gesture) => {
      const known = knownOf(source);
      return known.kind === "graph"
        ? gestureText(source, gesture)
        : gestureIn(known.facts, gesture);
    },
    assist: (source, request) => {
      // These requests follow every edit or need nothing compiled, so they skip the cache.
      if (request.kind === "folds") return foldsReply(source, request, grammar);
      if (request.kind === "edit-graph") return graphEditReply(source, request);
      if (request.kind === "apply-settings") return settingsReply(source, request);
      const known = knownOf(source);
      const patience = request.kind === "actions" ? actionMilliseconds : trialMilliseconds;
      const deadline = now() + patience;
      const isSpent = () => now() > deadline;
      if (request.kind === "graph") {
        const compiled = known.kind === "graph" ? known.graph.apart : known.compiled;
        return { kind: "graph", graph: exportGraph(compiled, { dialect: request.dialect }) };
      }
      return known.kind === "graph"
        ? assistGraphText(known.graph, request, (facts, asked) => replyOf(facts, asked, isSpent))
        : replyOf(known.facts, request, isSpent);
    },
  };
}

function settingsReply(
  source: string,
  { settings }: Extract<LanguageRequest, { kind: "apply-settings" }>,
): LanguageReply {
  const kind = "apply-settings";
  if (splitTexts(source) === undefined && graphFormatOf(source) === undefined)
    return { kind, outcome: settingsIntoText(readDocument(source), settings) };
  const message = "settings are for a program, not for a graph";
  return { kind, outcome: failed({ code: "settings/no-fit", severity: "error", message }) };
}

/** The graph comes first in the joined text, so its offsets are valid in both. */
function graphEditReply(
  source: string,
  { edit }: Extract<LanguageRequest, { kind: "edit-graph" }>,
): LanguageReply {
  const json = splitTexts(source)?.json;
  const edits = json === undefined ? undefined : graphFormatOf(json)?.edit(json, edit);
  return { kind: "edit-graph", ...(edits !== undefined && { edits }) };
}

function foldsReply(
  source: string,
  { of }: Extract<LanguageRequest, { kind: "folds" }>,
  grammar: Grammar,
): LanguageReply {
  const texts = splitTexts(source);
  if (texts === undefined) return { kind: "folds", folds: grammar.foldsOf(source) };
  if (of !== "plan") return { kind: "folds", folds: jsonFolds(texts.json) };
  return movedReply({ kind: "folds", folds: foldsOf(texts.plan) }, (at) => at + texts.planFrom);
}

/** A text with its analysis: a program, or a graph and its plan. */
type AnalyzedText = { readonly source: string; readonly compiled: Compiled } & (
  | { readonly kind: "program"; readonly facts: Facts }
  | { readonly kind: "graph"; readonly graph: GraphText }
);

/**
 * A cache of analysed texts. Each text, including the texts that a request tries, is read and
 * compiled incrementally from the one before; the requested text itself stays cached meanwhile.
 */
function createMemory(grammar: Grammar): (source: string) => AnalyzedText {
  const recent = createLruCache<AnalyzedText>(mostKnown);
  const [read, compile] = [createDocumentReader(), createDocumentCompiler()];
  const knownOf = (source: string): AnalyzedText => {
    const known = recent.find(source) ?? knownFrom(source, factsFrom);
    recent.keep(source, known);
    return known;
  };
  const factsFrom = (source: string): Facts =>
    factsOf(source, {
      ...{ read, compile, grammar },
      reread: (other) => {
        const known = knownOf(other);
        recent.find(source);
        return known.kind === "program" ? known.facts : factsOf(other);
      },
    });
  return knownOf;
}

function knownFrom(source: string, factsFrom: (source: string) => Facts): AnalyzedText {
  const graph = graphTextOf(source);
  if (graph !== undefined) return { kind: "graph", source, compiled: graph.compiled, graph };
  const facts = factsFrom(source);
  return { kind: "program", source, compiled: facts.compiled, facts };
}

function replyOf(facts: Facts, request: TextRequest, isSpent: () => boolean): LanguageReply {
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
