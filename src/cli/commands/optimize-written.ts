import { type Diagnostic, hasErrors } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { isCutAs } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import { costsOf, type PlanInText, type PlanWriter } from "#edit";
import type { Optimized, PlanRequest } from "#planner";
import type { Arguments } from "./answer.ts";

/** A plan with the text of the answer. */
export interface Answered {
  readonly found: Optimized;
  readonly text: PlanInText | undefined;
  readonly notes: readonly Diagnostic[];
}

type Analysis = NonNullable<ReturnType<PlanWriter["standingWithin"]>>;

/** Relative difference below which two sums of the same costs, in different orders, are equal. */
const tolerance = 1e-9;

/**
 * A plan with the figures of its written text, or the given text unchanged if it is faster than
 * every plan found.
 */
export function asWritten(
  writer: PlanWriter,
  found: Optimized,
  request: PlanRequest,
  args: Arguments,
): Answered {
  const standing = isBoundByMore(args) ? undefined : writer.standingWithin(found.seconds);
  if (standing !== undefined && isFaster(standing, found, request)) {
    const message = "no plan was found that is faster than the text as it stands";
    const note: Diagnostic = { code: "planner/nothing-faster", severity: "info", message };
    return { found: figuresOf(standing, found), text: undefined, notes: [note] };
  }
  const { text, analysis } = writer.written({ strategies: found.strategies, ...found.layouts });
  return { found: figuresOf(analysis, found), text, notes: [] };
}

/** Whether a request constrains plans in ways that the given text may violate. */
function isBoundByMore(args: Arguments): boolean {
  return ["outputs", "partials", "redundant", "uneven"].some((name) => args[name] !== undefined);
}

/** Whether the given text satisfies a request and is faster than a plan. */
function isFaster(
  { cost, memory, plan, diagnostics }: Analysis,
  { seconds }: Optimized,
  { pins, mesh, memoryLimit = Number.POSITIVE_INFINITY }: PlanRequest,
): boolean {
  const keepsPins = [...pins].every(([id, strategy]) => {
    const own = plan.operators.get(id);
    return own !== undefined && isCutAs(own, strategy, mesh);
  });
  const isShorter = cost.seconds < seconds * (1 - tolerance);
  return isShorter && keepsPins && memory.peakBytes <= memoryLimit && !hasErrors(diagnostics);
}

/** Replaces the search's figures and layouts by those of the compiled text. */
function figuresOf(analysis: Analysis, { layouts, ...found }: Optimized): Optimized {
  const { graph, plan, program } = analysis;
  const { seconds, bytes, communicationSeconds } = costsOf(analysis);
  const strategies = graph.operators.flatMap(({ id }) => {
    const own = plan.operators.get(id);
    return own === undefined ? [] : [[id, own.strategy] as const];
  });
  const laid = ([id, layout]: readonly [TensorId, Layout]) =>
    [id, plan.placements.get(id)?.layout ?? layout] as const;
  return {
    ...found,
    seconds,
    bytes,
    bound: Math.min(found.bound, seconds),
    communication: communicationSeconds,
    strategies: new Map(strategies),
    layouts: { ...layouts, rest: new Map([...layouts.rest].map(laid)) },
    collectives: collectivesOf(program),
  };
}

/** Runs of each kind of collective in a program. */
function collectivesOf({ stages }: SpmdProgram): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { steps, runs = 1 } of stages) {
    for (const step of steps) {
      if (step.kind !== "collective") continue;
      counts.set(step.collective, (counts.get(step.collective) ?? 0) + runs);
    }
  }
  return counts;
}
