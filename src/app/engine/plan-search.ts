import { type PlanQuestion, planDocument, planIntoText, planQuestion } from "#compile";
import { plainModel } from "#core/cost";
import { hasErrors } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { producedLayout } from "#core/plan";
import type { Document } from "#language/document";
import { joinTexts, splitTexts } from "#language/texts";
import { type Optimized, type OptimizeOutcome, optimize, type PlanRequest } from "#planner";
import { changesOf } from "./plan-changes.ts";
import type { PlanAnswer, PlanAskedOnce, PlanStage, PlanWord } from "./plan-protocol.ts";

/** Plans a text; a thrown fault becomes the word `failed`. */
export function searchWord(
  asked: PlanAskedOnce,
  onStage: (stage: PlanStage) => void,
): Exclude<PlanWord, { kind: "stage" }> {
  const { id } = asked;
  try {
    return { kind: "answer", id, answer: searchPlan(asked, onStage) };
  } catch (fault) {
    return { kind: "failed", id, message: fault instanceof Error ? fault.message : String(fault) };
  }
}

function searchPlan(
  { source, memoryLimit }: PlanAskedOnce,
  onStage: (stage: PlanStage) => void,
): PlanAnswer {
  onStage("reading");
  const texts = splitTexts(source);
  const document =
    texts === undefined ? planDocument(source) : planDocument(texts.json, { planText: texts.plan });
  const fault = faultOf(document);
  if (fault !== undefined) return { kind: "refused", message: fault };
  const question = planQuestion(document, { freesPlaces: true });
  const request = requestOf(question, memoryLimit);
  onStage("searching");
  const outcome = optimize(request);
  if (!outcome.ok) return infeasible(outcome);
  onStage("writing");
  const join = (plan: string) => (texts === undefined ? plan : joinTexts(texts.json, plan));
  return planned(document, question, outcome.value, join);
}

/** Why there is nothing to plan. */
function faultOf(document: Document): string | undefined {
  if (hasErrors(document.diagnostics)) return "The text has errors: a plan is for a text without.";
  if (document.graph.operators.length === 0) return "There is no operator to plan.";
  const { axes } = document.mesh.mesh;
  if (axes.every(({ size }) => size < 2)) {
    return "The mesh has one device, so there is nothing to split. Give it another axis.";
  }
  return undefined;
}

function requestOf(
  { graph, mesh, hardware, placements, pins, training }: PlanQuestion,
  memoryLimit?: number,
): PlanRequest {
  return {
    ...{ graph, mesh, placements, pins },
    model: plainModel(hardware),
    ends: new Map(),
    ...(training !== undefined && { training }),
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

function planned(
  document: Document,
  question: PlanQuestion,
  found: Optimized,
  join: (source: string) => string,
): PlanAnswer {
  const { strategies, layouts, seconds, bound, bytes } = found;
  const text = planIntoText(document, { strategies, ...layouts });
  const before = secondsNow(question);
  return {
    kind: "planned",
    ...(text.ok && { source: join(text.source) }),
    ...(before !== undefined && { before }),
    ...{ seconds, bound, bytes },
    model: requestOf(question).model.name,
    changes: changesOf(question, strategies),
    pins: document.pins.written.map(({ target }) => target),
    notes: text.ok ? text.notes.map(({ message }) => message) : [text.diagnostic.message],
  };
}

/** The seconds of the plan as it stands under the model, where that has a price for it. */
function secondsNow(question: PlanQuestion): number | undefined {
  const { graph, plan } = question;
  const pins = new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy] as const));
  const placements = new Map([...plan.placements].map(([id, { layout }]) => [id, layout] as const));
  const ends = new Map<TensorId, Layout>();
  for (const operator of graph.operators) {
    const own = plan.operators.get(operator.id);
    for (const operand of operator.outputs) {
      if (own === undefined || !graph.outputs.includes(operand.tensor)) continue;
      if (plan.placements.has(operand.tensor)) continue;
      ends.set(operand.tensor, { ...producedLayout(operator, operand, own), partials: [] });
    }
  }
  const outcome = optimize({ ...requestOf(question), pins, placements, ends });
  return outcome.ok ? outcome.value.seconds : undefined;
}
