import { type Compiled, compileDocument } from "#compile";
import { positionAt, type TextEdit } from "#core/diagnostics";
import { costsOf, type PlanPart, planIntoText, plannedAnalysis, planParts } from "#edit";
import type { Document } from "#language/document";
import { patternSentences } from "#planner";
import { patternedPlan } from "./plan-changes.ts";
import type {
  MixedPlan,
  PartEffect,
  PartRow,
  PartsAsked,
  PartsProgress,
  PartsResult,
  PlanFigures,
  ReplacedLine,
} from "./plan-protocol.ts";
import { type OpenText, openText, tryValues } from "./plan-search.ts";
import { timeSentence } from "./time-sentence.ts";

/** Largest number of parts whose effects are computed; further parts are listed without. */
const mostWeighed = 24;

/** Computes a plan without the parts in `left`, then the effect of each part on that plan. */
export function weighParts(asked: PartsAsked, hear: (news: PartsProgress) => void): PartsResult {
  const opened = openText(asked.source);
  if (typeof opened === "string") return { kind: "refused", message: opened };
  const tried = tryValues(opened, asked.whatIf ?? {});
  if (typeof tried === "string") return { kind: "refused", message: tried };
  const { document } = tried;
  const found = planParts(document, document.reread(opened.own(asked.planned)));
  if (found === undefined) return { kind: "refused", message: ownArrangement };
  const left = new Set(asked.left);
  const weigh = (without: ReadonlySet<string>) =>
    figuresOf(plannedAnalysis(document, found.without(without)));
  hear({ kind: "parts", parts: found.parts.map(rowOf) });
  const mixed = mixedOf(opened, document, found.without(left));
  hear({ kind: "mixed", mixed });
  const taken = weigh(left);
  for (const { key } of found.parts.slice(0, mostWeighed)) {
    const isLeft = left.has(key);
    const other = new Set(left);
    if (isLeft) other.delete(key);
    else other.add(key);
    const beside = weigh(other);
    const effect = isLeft ? difference(beside, taken) : difference(taken, beside);
    hear({ kind: "effect", key, effect });
  }
  return { kind: "weighed" };
}

const ownArrangement =
  "The text splits operators on devices in an arrangement of their own, so that the plan is taken whole or not at all.";

function rowOf({ key, kind, words, count, operators }: PlanPart): PartRow {
  return { key, kind, words, count, operators };
}

type Program = Parameters<typeof planIntoText>[1];

function figuresOf({ cost, memory }: Pick<Compiled, "cost" | "memory">): PartEffect {
  return { seconds: cost.seconds, bytes: memory.peakBytes, sentBytes: cost.bytes };
}

function difference(one: PartEffect, other: PartEffect): PartEffect {
  return {
    seconds: one.seconds - other.seconds,
    bytes: one.bytes - other.bytes,
    sentBytes: one.sentBytes - other.sentBytes,
  };
}

function mixedOf(opened: OpenText, document: Document, program: Program): MixedPlan {
  const text = planIntoText(document, program);
  if (!text.ok) {
    return { ...toldOf(document, program, plannedAnalysis(document, program)), lines: 0, gone: [] };
  }
  return {
    ...toldOf(document, program, compileDocument(document.reread(text.source))),
    source: opened.whole(text.source),
    lines: text.edits.reduce((sum, edit) => sum + linesIn(edit), 0),
    gone: goneLines(document, program, text.edits),
  };
}

/** Figures of a partial plan in the form used for whole plans. */
function toldOf(
  document: Document,
  { strategies, rest }: Program,
  compiled: Pick<Compiled, "cost" | "memory" | "program">,
): PlanFigures & PartEffect {
  const plan = patternedPlan(document, strategies, rest);
  const sentences = [...patternSentences(plan), timeSentence(compiled.cost)];
  return { ...costsOf(compiled), sentBytes: compiled.cost.bytes, sentences };
}

function linesIn({ text }: TextEdit): number {
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

/** Lines that the plan changes or removes, each with the reason. */
function goneLines(
  document: Document,
  program: Program,
  edits: readonly TextEdit[],
): readonly ReplacedLine[] {
  const { source, strategyCalls, requests, graph } = document;
  const names = new Map([...graph.operators, ...graph.tensors].map(({ id, name }) => [id, name]));
  const said = [
    ...[...strategyCalls].flatMap(([id, { span }]) =>
      program.strategies.has(id) ? [{ id, span }] : [],
    ),
    ...[...requests.placements].flatMap(([id, { span }]) =>
      span === undefined ? [] : [{ id, span }],
    ),
  ];
  const lines = new Map<number, ReplacedLine>();
  for (const { from, to } of edits) {
    if (from === to) continue;
    const { line } = positionAt(source, from);
    const about = said.filter(({ span }) => span.from < to && from < span.to);
    const [first] = about;
    const name = first === undefined ? undefined : names.get(first.id);
    const more = about.length > 1 ? ` and ${about.length - 1} more` : "";
    const why =
      name === undefined
        ? "the plan says it otherwise"
        : `the plan splits ${name}${more} otherwise`;
    if (!lines.has(line))
      lines.set(line, { line, text: (source.split("\n")[line - 1] ?? "").trim(), why });
  }
  return [...lines.values()];
}
