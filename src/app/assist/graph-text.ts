import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import { splitTexts } from "#language/texts";
import {
  completeLoom,
  definitionInLoom,
  hoverLoom,
  type LoomFacts,
  loomFactsOf,
} from "#systems/loom";
import type { Facts } from "./facts.ts";
import { movedReply } from "./moved-reply.ts";
import { planFactsOf } from "./plan-facts.ts";
import type { AssistReply, TextRequest } from "./request.ts";
import { compileTwo, inOneText } from "./two-texts.ts";

/** A LoomGraph and its plan in one text, with what is known of each when it is first asked for. */
export interface LoomText {
  /** Places count in the one text. */
  readonly compiled: Compiled;
  /** The same where places count in the two texts apart. */
  readonly apart: Compiled;
  readonly planFrom: number;
  /** Where the JSON ends. */
  readonly jsonTo: number;
  readonly json: () => LoomFacts;
  readonly plan: () => Facts;
}

/** What is known of the text of an editor; `undefined` of a program. */
export function loomTextOf(source: string): LoomText | undefined {
  const texts = splitTexts(source);
  if (texts === undefined) return undefined;
  const apart = compileTwo(texts);
  let json: LoomFacts | undefined;
  let plan: Facts | undefined;
  return {
    compiled: inOneText(apart, source, texts),
    apart,
    planFrom: texts.planFrom,
    jsonTo: texts.json.length,
    json: () => {
      json ??= loomFactsOf(texts, apart.loom);
      return json;
    },
    plan: () => {
      plan ??= planFactsOf(texts, apart);
      return plan;
    },
  };
}

/** Answers about the one text: about the plan as about any program, about the JSON by its own rules. */
export function assistLoomText(
  { json, plan, planFrom, jsonTo }: LoomText,
  request: TextRequest,
  ofPlan: (facts: Facts, request: TextRequest) => AssistReply,
): AssistReply {
  const toJoined = (offset: number) => offset + planFrom;
  if ("offset" in request) {
    if (request.offset <= jsonTo) return assistLoom(json(), request);
    const asked = { ...request, offset: request.offset - planFrom };
    const node =
      request.kind === "definition" ? namedNode(json(), plan().source, asked.offset) : undefined;
    if (node !== undefined) return { kind: "definition", span: node };
    return movedReply(ofPlan(plan(), asked), toJoined);
  }
  return movedReply(ofPlan(plan(), request), toJoined);
}

/** Where the node stands whose name is a text of the plan. */
function namedNode({ nodes }: LoomFacts, plan: string, offset: number): Span | undefined {
  const texts = [...plan.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)];
  const text = texts.find(
    ({ index, 0: { length } }) => index <= offset && offset <= index + length,
  );
  const name = text?.[1] ?? text?.[2];
  return nodes.find(({ label, id }) => name !== undefined && (label ?? id) === name)?.span;
}

/** Answers about the JSON of a LoomGraph. */
function assistLoom(facts: LoomFacts, request: TextRequest): AssistReply {
  const { kind } = request;
  switch (kind) {
    case "hover": {
      const hover = hoverLoom(facts, request.offset);
      return { kind, ...(hover !== undefined && { hover }) };
    }
    case "complete":
      return { kind, list: completeLoom(facts, request.offset) };
    case "definition": {
      const span = definitionInLoom(facts, request.offset);
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

const noRename = "a node of a LoomGraph is known by its id; edit its label";
