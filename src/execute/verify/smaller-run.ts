import type { Graph, OperatorId, TraceBody } from "#core/ir";
import { createPlanMemory, isProjected, type Plan, type ReshardRequest } from "#core/plan";
import { lower, type SpmdProgram, type SystemReshard } from "#core/program";
import { createReshardPlanner } from "#core/reshard";
import { type ResolvedBodies, resolveBodies } from "./resolve-bodies.ts";
import { mostAtOnce } from "./run-limits.ts";
import { pointsIn, type RunWork, totalWork, workOf } from "./run-work.ts";
import { scaleDown } from "./scale-down.ts";

/** Points that a run on reduced sizes should not pass. */
const enoughPoints = 1_000_000;

/** The same for the smallest sizes that there are. */
const mostOnSmallest = 2_000_000;

/** What of a run's options its sizes depend on. */
interface SizeOptions {
  /** Runs the bodies of registered functions; without it they run as products. */
  readonly traceBody?: TraceBody;
  /** Other systems' own steps, where the plan chooses them. */
  readonly systems?: SystemReshard;
}

/** A program on smaller sizes. */
export interface SmallerRun {
  readonly program: SpmdProgram;
  readonly bodies: ResolvedBodies;
}

/**
 * The same plan on smaller sizes that it cuts in the same way, where there are some that can be
 * checked at once.
 */
export function smallerRun(
  plan: Plan,
  program: SpmdProgram,
  work: RunWork,
  options: SizeOptions,
): SmallerRun | undefined {
  if (hasExplicitPieces(plan) || program.graph.operators.some(isProjected)) return undefined;
  if (!areBlocksFew(work)) return undefined;
  const count = plan.mesh.devices.length * (plan.microbatches?.count ?? 1);
  const graph = smallerGraph(program.graph, count, options);
  if (graph === undefined) return undefined;
  const smaller = loweredAgain(plan, graph, program, options);
  const bodies = resolveBodies(graph, options.traceBody);
  return totalWork(workOf(smaller, bodies)) <= mostAtOnce
    ? { program: smaller, bodies }
    : undefined;
}

/** A graph under the plan of a program, with the steps that its redistributions take. */
export function loweredAgain(
  plan: Plan,
  graph: Graph,
  program: SpmdProgram,
  { systems }: SizeOptions,
): SpmdProgram {
  const same = { ...plan, reshards: stepsOf(program) };
  return lower(graph, same, createReshardPlanner(), createPlanMemory(), systems);
}

/** Whether smaller sizes can help at all: they leave the devices, and who talks with whom. */
function areBlocksFew({ blocks, messages }: RunWork): boolean {
  return totalWork({ points: 0, elements: 0, joined: 0, blocks, messages }) <= mostAtOnce;
}

/** The steps that the redistributions of a program take, as requests that choose the same again. */
function stepsOf({
  graph,
  values,
  redistributions,
  stages,
}: SpmdProgram): readonly ReshardRequest[] {
  const names = new Map(graph.tensors.map(({ id, name }) => [id, name]));
  const layouts = new Map(values.map(({ id, layout }) => [id, layout]));
  const counts = new Map<number, number>();
  for (const step of stages.flatMap(({ steps }) => steps)) {
    if (step.kind !== "collective" || step.collective === "slice") continue;
    counts.set(step.reshard, (counts.get(step.reshard) ?? 0) + 1);
  }
  return redistributions.flatMap(({ index, tensor, output, chosen }) => {
    const [target, to] = [names.get(tensor), layouts.get(output)];
    if (target === undefined || to === undefined) return [];
    const isFollowed = chosen !== undefined && chosen.declined === undefined;
    return [{ target, to, steps: isFollowed ? chosen.steps : (counts.get(index) ?? 0) }];
  });
}

/**
 * The graph on sizes that can be checked. Its functions still run there: one whose body takes no
 * smaller sizes keeps those that it has.
 */
function smallerGraph(graph: Graph, count: number, { traceBody }: SizeOptions): Graph | undefined {
  const whole = resolveBodies(graph, traceBody);
  const functions = graph.operators.filter((each) => whole.whole(each) !== undefined);
  for (const factor of [4, 2, 1]) {
    const pinned = new Set<OperatorId>();
    for (;;) {
      const smaller = scaleDown(graph, count, factor * count, pinned);
      const bodies = resolveBodies(smaller, traceBody);
      const failing = functions.filter(({ id }) => !pinned.has(id) && !bodies.has(id));
      const most = factor === 1 ? mostOnSmallest : enoughPoints;
      if (failing.length === 0 && pointsIn(smaller, bodies) <= most) return smaller;
      if (failing.length === 0) break;
      for (const { id } of failing) pinned.add(id);
    }
  }
  return undefined;
}

/** Pieces of written lengths do not fit other sizes. */
function hasExplicitPieces({ placements }: Plan): boolean {
  const layouts = [...placements.values()].map(({ layout }) => layout);
  return layouts.some(({ dims }) => dims.some(({ sizes }) => sizes !== undefined));
}

export function kindOf(program: SpmdProgram, at: number): string | undefined {
  const step = program.stages.flatMap((stage) => stage.steps)[at];
  return step?.kind === "collective" ? step.collective : step?.kind;
}
