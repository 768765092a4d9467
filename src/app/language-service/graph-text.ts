import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import { splitTexts } from "#language/texts";
import { graphFormatOf } from "#systems";
import type { ExplainedGraph } from "#systems/system/graph";
import type { Facts } from "./facts.ts";
import { movedReply } from "./moved-reply.ts";
import { planFactsOf } from "./plan-facts.ts";
import type { LanguageReply, TextRequest } from "./request.ts";
import { compileTwo, inOneText } from "./two-texts.ts";

/** A graph and its plan in one text, with facts of each computed on demand. */
export interface GraphText {
  /** The compiled text, with offsets in the joined text. */
  readonly compiled: Compiled;
  /** The same with offsets in the separate texts of graph and plan. */
  readonly apart: Compiled;
  readonly planFrom: number;
  /** End offset of the graph. */
  readonly graphTo: number;
  readonly graph: () => ExplainedGraph;
  readonly plan: () => Facts;
}

/** An editor's graph text, with its format; `undefined` for a program. */
export function graphTextOf(source: string): GraphText | undefined {
  const texts = splitTexts(source);
  const format = graphFormatOf(source);
  if (texts === undefined || format === undefined) return undefined;
  const apart = compileTwo(texts);
  let graph: ExplainedGraph | undefined;
  let plan: Facts | undefined;
  return {
    compiled: inOneText(apart, source, texts),
    apart,
    planFrom: texts.planFrom,
    graphTo: texts.json.length,
    graph: () => {
      graph ??= format.explains(texts, apart.imported);
      return graph;
    },
    plan: () => {
      plan ??= planFactsOf(texts, apart);
      return plan;
    },
  };
}

/**
 * Replies about the joined text: about the plan like about any program, about the graph by its
 * format.
 */
export function assistGraphText(
  { graph, plan, planFrom, graphTo }: GraphText,
  request: TextRequest,
  ofPlan: (facts: Facts, request: TextRequest) => LanguageReply,
): LanguageReply {
  const toJoined = (offset: number) => offset + planFrom;
  if ("offset" in request) {
    if (request.offset <= graphTo) return assistGraph(graph(), request);
    const asked = { ...request, offset: request.offset - planFrom };
    const node =
      request.kind === "definition" ? namedNode(graph(), plan().source, asked.offset) : undefined;
    if (node !== undefined) return { kind: "definition", span: node };
    return movedReply(ofPlan(plan(), asked), toJoined);
  }
  return movedReply(ofPlan(plan(), request), toJoined);
}

/** The span of the node that a string in the plan names. */
function namedNode({ nodeNamed }: ExplainedGraph, plan: string, offset: number): Span | undefined {
  const texts = [...plan.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)];
  const text = texts.find(
    ({ index, 0: { length } }) => index <= offset && offset <= index + length,
  );
  const name = text?.[1] ?? text?.[2];
  return name === undefined ? undefined : nodeNamed(name);
}

/** Replies about the text of a graph. */
function assistGraph(explained: ExplainedGraph, request: TextRequest): LanguageReply {
  const { kind } = request;
  const { noRename } = explained;
  switch (kind) {
    case "hover": {
      const hover = explained.hover(request.offset);
      return { kind, ...(hover !== undefined && { hover }) };
    }
    case "complete":
      return { kind, list: explained.complete(request.offset) };
    case "definition": {
      const span = explained.definition(request.offset);
      return { kind, ...(span !== undefined && { span }) };
    }
    case "signature":
      return { kind };
    case "words":
      return { kind, words: [] };
    case "actions":
      return { kind, actions: [] };
    case "rename-target":
      return { kind, target: { ok: false, reason: noRename } };
    case "rename":
    case "rename-axis":
      return { kind: "rename", outcome: { ok: false, reason: noRename } };
  }
}
