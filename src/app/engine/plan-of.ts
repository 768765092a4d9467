import { type Compiled, compileDocument } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { WantedStrategies } from "#core/plan";
import {
  costsOf,
  createPlanWriter,
  type PlanQuestion,
  type PlanWriter,
  plannedCosts,
  planQuestion,
  type SizeChoice,
} from "#edit";
import type { Document } from "#language/document";
import {
  type Optimized,
  type OptimizeOutcome,
  optimize,
  type PlannedLayouts,
  type PlannerMemory,
  type PlanRequest,
  patternSentences,
} from "#planner";
import { changesOf, patternedPlan, patternsIn } from "./plan-changes.ts";
import type { PlanAnswer, Planned, PlanProgress } from "./plan-protocol.ts";
import { timeSentence } from "./time-sentence.ts";

type Analysis = NonNullable<ReturnType<PlanWriter["standingWithin"]>>;

/** A document to plan. */
export interface PlanWork {
  readonly document: Document;
  /** Plan to compare with: the document's own, or that of the original text. */
  readonly since: PlanQuestion;
  /** Seconds of the plan in `since`. */
  readonly before: number;
  readonly memoryLimit: number | undefined;
  /** Whether inputs and parameters may leave the layouts that `place` sets. */
  readonly freesPlaces: boolean;
  readonly sizes: readonly SizeChoice[];
  /** Cached results of earlier searches. */
  readonly memory: PlannerMemory | undefined;
  /** The document on its own machine, if it is planned for changed hardware. */
  readonly named?: Document;
  /**
   * Pinned strategies that replace the text's pins; the text's own plan is then no valid answer.
   */
  readonly pins?: PlanRequest["pins"];
}

/** Fastest plan of a document; `hear` receives progress and the plans found on the way. */
export function planOf(work: PlanWork, hear: (news: PlanProgress) => void): PlanAnswer {
  return planOrLeanest(work, hear).answer;
}

/** Like `planOf`; if no plan fits, it also returns the plan with the least memory. */
export function planOrLeanest(
  work: PlanWork,
  hear: (news: PlanProgress) => void,
): { readonly answer: PlanAnswer; readonly leanest?: Optimized | undefined } {
  const { document, memoryLimit, memory } = work;
  const question = planQuestion(document, work);
  hear({ kind: "stage", stage: "searching" });
  const pinned = work.pins === undefined ? question : { ...question, pins: work.pins };
  const writer = createPlanWriter(document, memory?.planReshard);
  const outcome = optimize(requestOf(pinned, memoryLimit), {
    measure: ({ strategies, layouts }) =>
      costsOf(writer.written({ strategies, ...layouts }).analysis),
    peakOf: ({ strategies, layouts }) => plannedCosts(document, { strategies, ...layouts }).bytes,
    onFound: (found) => hear({ kind: "found", planned: written(work, writer, found) }),
    memory,
  });
  if (!outcome.ok) return { answer: infeasible(outcome), leanest: outcome.leanest };
  hear({ kind: "stage", stage: "writing" });
  return { answer: planned(work, writer, outcome.value) };
}

/** Planner request for a question. Partial sums may stay unreduced, except in a training step. */
export function requestOf(
  { graph, mesh, hardware, placements, pins, training, microbatches }: PlanQuestion,
  memoryLimit: number | undefined,
): PlanRequest {
  return {
    ...{ graph, mesh, hardware, placements, pins },
    ends: new Map(),
    ...(training === undefined ? { partials: "flow" } : { training, endsInSums: true }),
    ...(microbatches !== undefined && { microbatches }),
    ...(memoryLimit !== undefined && { memoryLimit }),
  };
}

function infeasible({ diagnostic, leanest }: Extract<OptimizeOutcome, { ok: false }>): PlanAnswer {
  const { message } = diagnostic;
  return {
    kind: "infeasible",
    message,
    ...(leanest !== undefined && { leastBytes: leanest.bytes }),
  };
}

/** Relative tolerance: sums of equal costs in another order differ by less. */
const tolerance = 1e-9;

/** The plan found, or the text's own plan if it fits and is as fast. */
function planned(work: PlanWork, writer: PlanWriter, found: Optimized): Planned {
  const { document, memoryLimit } = work;
  if (work.pins === undefined && !hasErrors(document.diagnostics)) {
    const own = writer.standingWithin(found.seconds);
    if (own === undefined) return written(work, writer, found);
    const fits = memoryLimit === undefined || own.memory.peakBytes <= memoryLimit;
    const isAsFast = own.cost.seconds <= found.seconds * (1 + tolerance);
    if (fits && isAsFast && !hasErrors(own.diagnostics)) return ownPlan(work, found, own);
  }
  return written(work, writer, found);
}

/** Plan written into the text, with the costs of that text. */
function written(
  work: PlanWork,
  writer: PlanWriter,
  { strategies, layouts, bound, joined }: Optimized,
): Planned {
  const { named } = work;
  const program = { strategies, ...layouts };
  const { text, analysis } = writer.written(program);
  return {
    kind: "planned",
    ...(text.ok && { source: text.source }),
    ...common(work),
    bound,
    ...(joined !== undefined && { joined }),
    ...costsOf(analysis),
    ...(named !== undefined && { asNamed: plannedCosts(named, program) }),
    ...shownOf(work, strategies, layouts.rest, analysis),
    notes: text.ok ? text.notes.map(({ message }) => message) : [text.diagnostic.message],
  };
}

/** The text's own plan as the answer, if no considered plan is better. */
function ownPlan(work: PlanWork, found: Optimized, own: Analysis): Planned {
  const { document, named } = work;
  const { cost, plan } = own;
  const isOutside = cost.seconds < found.bound * (1 - tolerance);
  const strategies = new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy]));
  return {
    kind: "planned",
    source: document.source,
    ...common(work),
    ...costsOf(own),
    bound: Math.min(found.bound, cost.seconds),
    ...(isOutside && { isOutside: true }),
    ...(named !== undefined && { asNamed: takenBy(named) }),
    ...shownOf(
      work,
      strategies,
      new Map([...plan.placements].map(([id, { layout }]) => [id, layout])),
      own,
    ),
    notes: [],
  };
}

/** Changes, patterns and sentences of a plan. */
function shownOf(
  { document, since }: PlanWork,
  strategies: WantedStrategies,
  rest: PlannedLayouts["rest"],
  { cost }: Pick<Compiled, "cost">,
): Pick<Planned, "changes" | "patterns" | "sentences" | "isForward"> {
  const plan = patternedPlan(document, strategies, rest);
  const { patterns, parts } = patternsIn(plan);
  return {
    patterns,
    sentences: [...patternSentences(plan), timeSentence(cost)],
    changes: changesOf(since, strategies, parts),
    // A program without training has no ZeRO stage.
    ...(plan.zero === undefined && { isForward: true }),
  };
}

/** Modelled seconds and peak bytes of a document's own plan. */
export function takenBy(document: Document): { readonly seconds: number; readonly bytes: number } {
  const { cost, memory } = compileDocument(document);
  return { seconds: cost.seconds, bytes: memory.peakBytes };
}

function common({ document, before, sizes }: PlanWork) {
  return {
    before,
    sizes,
    model: planQuestion(document, { freesPlaces: false }).hardware.name,
    pins: document.pins.written.map(({ target }) => target),
  };
}
