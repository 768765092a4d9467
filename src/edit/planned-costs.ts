import type { Compiled } from "#compile";
import { type Analysis, analyze } from "#compile";
import type { Cost } from "#core/cost";
import { tensorsById } from "#core/ir";
import { mayReadWindows } from "#core/plan";
import type { Document } from "#language/document";
import { type HeldKind, heldKinds } from "./alive-items.ts";
import type { PlannedProgram } from "./planned-words.ts";

/**
 * A document with a whole plan in place of its own requests. A result placed by the text stays
 * placed: a plan does not remove that.
 */
export function withPlan(document: Document, { strategies, rest, ends }: PlannedProgram): Document {
  const { mesh } = document.mesh;
  const operators = [...strategies].map(
    ([id, strategy]) => [id, { strategy, mesh, status: "set" }] as const,
  );
  const produced = new Set(
    document.graph.tensors.flatMap(({ id, producer }) => (producer === undefined ? [] : [id])),
  );
  const placed = [...document.requests.placements].filter(([id]) => produced.has(id));
  const placements = new Map(placed);
  for (const [id, layout] of [...rest, ...ends]) placements.set(id, { layout, status: "set" });
  const requests = { ...document.requests, operators: new Map(operators), placements };
  return { ...document, requests };
}

/** Cost and memory of a program under a plan; `limit` tells what determines `seconds`. */
export interface PlannedCosts {
  /**
   * Seconds of the schedule: the sum of the next two figures, or the host's seconds if the host is
   * slower.
   */
  readonly seconds: number;
  readonly computeSeconds: number;
  /** Exposed seconds of communication, in which nothing is computed. */
  readonly communicationSeconds: number;
  /** Seconds of communication hidden beside compute, which add no time. */
  readonly hiddenSeconds: number;
  /** Whether the devices determine the time, or the host that launches their kernels. */
  readonly limit: Cost["limit"];
  /** Peak bytes of the fullest device. */
  readonly bytes: number;
  /** Bytes by kind of tensor, which add up to `bytes`. */
  readonly held: readonly HeldKind[];
}

/** Cost and memory of the compiled program under another plan. */
export function plannedCosts(document: Document, plan: PlannedProgram): PlannedCosts {
  return costsOf(analyze(withPlan(document, plan)));
}

/** Full analysis of a document under a plan. */
export function plannedAnalysis(document: Document, plan: PlannedProgram): Analysis {
  return analyze(withPlan(document, plan));
}

/**
 * A document whose program runs step by step, without overlap, host or compiler.
 *
 * @internal
 */
export function withoutOverlap({ isEager: _, training, ...document }: Document): Document {
  if (training === undefined) return document;
  return { ...document, training: { ...training, overlap: "none", compiled: false } };
}

/** Cost and memory of a compiled program under its own plan. */
export function costsOf(compiled: Pick<Compiled, "cost" | "memory" | "program">): PlannedCosts {
  const { seconds, computeSeconds, exposedSeconds, hiddenSeconds, limit } = compiled.cost;
  const { peakBytes: bytes } = compiled.memory;
  const times = { seconds, computeSeconds, communicationSeconds: exposedSeconds, hiddenSeconds };
  return { ...times, limit, bytes, held: heldKinds(compiled) };
}

/**
 * The part of a document that no planner can price under the default model, in words; `undefined`
 * if there is none.
 */
export function unpricedPart({ graph, training, requests }: Document): string | undefined {
  const blocks = training?.budget?.blocks ?? [];
  const again = new Set([
    ...(training?.recompute ?? []),
    ...blocks.flatMap(({ recompute }) => recompute),
  ]);
  const placed = graph.tensors.find(({ id, producer }) => {
    const isAgain = producer !== undefined && again.has(producer);
    return isAgain && requests.placements.has(id);
  });
  if (placed !== undefined) {
    return `the planner does not price what is placed and computed again yet, such as "${placed.name}"`;
  }
  const tensors = tensorsById(graph);
  const window = graph.operators.find((operator) =>
    mayReadWindows(operator, (id) => tensors.get(id)?.shape ?? []),
  );
  return (
    window &&
    `the planner does not price operators that read windows yet, such as "${window.name}": windows may overlap, and what a device then fetches of its neighbours' blocks is no layout`
  );
}
