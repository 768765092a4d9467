import {
  type Compiled,
  compileDocument,
  type PlanQuestion,
  planDocument,
  planIntoText,
  plannedCosts,
  planQuestion,
  unpricedPart,
} from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { Document } from "#language/document";
import { joinTexts, splitTexts } from "#language/texts";
import {
  type Optimized,
  type OptimizeOutcome,
  optimize,
  type PlannerMemory,
  type PlanRequest,
} from "#planner";
import { changesOf } from "./plan-changes.ts";
import type { PlanAnswer, PlanAskedOnce, PlanStage, PlanWord } from "./plan-protocol.ts";

/** Plans a text with what earlier ones left; a thrown fault becomes the word `failed`. */
export function searchWord(
  asked: PlanAskedOnce,
  onStage: (stage: PlanStage) => void,
  memory?: PlannerMemory,
): Exclude<PlanWord, { kind: "stage" }> {
  const { id } = asked;
  try {
    return { kind: "answer", id, answer: searchPlan(asked, onStage, memory) };
  } catch (fault) {
    return { kind: "failed", id, message: fault instanceof Error ? fault.message : String(fault) };
  }
}

function searchPlan(
  { source, memoryLimit }: PlanAskedOnce,
  onStage: (stage: PlanStage) => void,
  memory: PlannerMemory | undefined,
): PlanAnswer {
  onStage("reading");
  const texts = splitTexts(source);
  const document =
    texts === undefined ? planDocument(source) : planDocument(texts.json, { planText: texts.plan });
  const fault = faultOf(document);
  if (fault !== undefined) return { kind: "refused", message: fault };
  const question = planQuestion(document, { freesPlaces: true });
  onStage("searching");
  const measure = ({ strategies, layouts }: Optimized) =>
    plannedCosts(document, { strategies, ...layouts });
  const outcome = optimize(requestOf(question, memoryLimit), { measure, memory });
  if (!outcome.ok) return infeasible(outcome);
  onStage("writing");
  const answer = planned({ document, question, memoryLimit, found: outcome.value });
  if (answer.source === undefined || texts === undefined) return answer;
  const isSame = answer.source === document.source;
  return { ...answer, source: isSame ? source : joinTexts(texts.json, answer.source) };
}

/** Why there is nothing to plan. */
function faultOf(document: Document): string | undefined {
  if (hasErrors(document.diagnostics)) return "The text has errors: a plan is for a text without.";
  if (document.graph.operators.length === 0) return "There is no operator to plan.";
  const { axes } = document.mesh.mesh;
  if (axes.every(({ size }) => size < 2)) {
    return "The mesh has one device, so there is nothing to split. Give it another axis.";
  }
  const unpriced = unpricedPart(document);
  return unpriced && `${unpriced[0]?.toUpperCase()}${unpriced.slice(1)}.`;
}

/** Partial sums pass on where that is faster; a training step always ends them. */
function requestOf(
  { graph, mesh, hardware, placements, pins, training }: PlanQuestion,
  memoryLimit: number | undefined,
): PlanRequest {
  return {
    ...{ graph, mesh, hardware, placements, pins },
    ends: new Map(),
    ...(training === undefined ? { partials: "flow" } : { training, endsInSums: true }),
    ...(memoryLimit !== undefined && { memoryLimit }),
  };
}

function infeasible({
  diagnostic,
  leastBytes,
}: Extract<OptimizeOutcome, { ok: false }>): PlanAnswer {
  const { message } = diagnostic;
  return { kind: "infeasible", message, ...(leastBytes !== undefined && { leastBytes }) };
}

interface Work {
  readonly document: Document;
  readonly question: PlanQuestion;
  readonly memoryLimit: number | undefined;
  readonly found: Optimized;
}

/** Two sums of the same costs in another order differ by less than this part. */
const tolerance = 1e-9;

type Planned = Extract<PlanAnswer, { kind: "planned" }>;

/** The plan that was found, or the text's own where that is as fast and fits. */
function planned(work: Work): Planned {
  const { document, question, memoryLimit, found } = work;
  const own = compileDocument(document);
  const fits = memoryLimit === undefined || own.memory.peakBytes <= memoryLimit;
  if (fits && own.cost.seconds <= found.seconds * (1 + tolerance)) return ownPlan(work, own);
  const { strategies, layouts, bound } = found;
  const text = planIntoText(document, { strategies, ...layouts });
  return {
    kind: "planned",
    ...(text.ok && { source: text.source }),
    before: own.cost.seconds,
    bound,
    ...plannedCosts(document, { strategies, ...layouts }),
    model: own.hardware.name,
    changes: changesOf(question, strategies),
    pins: pinsOf(document),
    notes: text.ok ? text.notes.map(({ message }) => message) : [text.diagnostic.message],
  };
}

/** The text's own plan, which is as good as any that the planner looks at, or better. */
function ownPlan({ document, found }: Work, { cost, memory, hardware }: Compiled): Planned {
  const isOutside = cost.seconds < found.bound * (1 - tolerance);
  return {
    kind: "planned",
    source: document.source,
    before: cost.seconds,
    seconds: cost.seconds,
    bound: Math.min(found.bound, cost.seconds),
    ...(isOutside && { isOutside: true }),
    bytes: memory.peakBytes,
    model: hardware.name,
    changes: [],
    pins: pinsOf(document),
    notes: [],
  };
}

function pinsOf({ pins }: Document): readonly string[] {
  return pins.written.map(({ target }) => target);
}
