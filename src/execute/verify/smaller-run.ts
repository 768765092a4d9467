import type { Graph, Operator, OperatorId } from "#core/ir";
import type { TraceBody } from "#core/ir/body";
import { createPlanMemory, type Plan, type ReshardRequest } from "#core/plan";
import { lower, type SpmdProgram, type SystemReshard } from "#core/program";
import { createReshardPlanner } from "#core/reshard";
import { fewerLayers, hasWrittenPieces, type LayersKept, smallerSizes } from "#execute/smaller";
import { type ResolvedBodies, resolveBodies } from "./resolve-bodies.ts";
import { mostAtOnce, mostOnSmaller } from "./run-limits.ts";
import { totalWork, workOf } from "./run-work.ts";

/** Number of layers of each kind that stay: two, so that one passes values to the next. */
const layersLeft = 2;

/** Least elements of a piece of a cut dim, tried in this order. */
const floors = [4, 2, 1];

/** Limit on the points and elements of a run on smaller sizes; such a run takes some seconds. */
const enoughData = 2 * mostAtOnce;

/** The options of a run on which its sizes depend. */
interface SizeOptions {
  /** Runs the bodies of registered functions; without it they run as products. */
  readonly traceBody?: TraceBody;
  /** Other systems' own steps, if the plan chooses them. */
  readonly systems?: SystemReshard;
}

/** A program on fewer layers and smaller sizes. */
export interface SmallerRun {
  readonly program: SpmdProgram;
  readonly bodies: ResolvedBodies;
  /** Layers that are kept; absent if all are. */
  readonly layers?: LayersKept;
  /** The graph with the layers that are left, on the sizes of the text. */
  readonly before: Graph;
}

/**
 * The same plan on fewer layers and, if necessary, on smaller sizes that it cuts in the same way;
 * `undefined` if neither makes it small enough.
 */
export function smallerRun(
  plan: Plan,
  program: SpmdProgram,
  options: SizeOptions,
): SmallerRun | undefined {
  const fewer = fewerLayers(program, layersLeft);
  const layered = fewer === undefined ? program : loweredAgain(plan, fewer.graph, program, options);
  const kept = { before: layered.graph, ...(fewer !== undefined && { layers: fewer.layers }) };
  if (fewer !== undefined) {
    const bodies = resolveBodies(fewer.graph, options.traceBody);
    if (totalWork(workOf(layered, bodies)) <= mostAtOnce)
      return { program: layered, bodies, ...kept };
  }
  const layouts = [...plan.placements.values()].map(({ layout }) => layout);
  if (hasWrittenPieces(layouts)) return undefined;
  let smallest: SmallerRun | undefined;
  for (const floor of floors) {
    const graph = smallerGraph(plan, layered, floor, options);
    const smaller = loweredAgain(plan, graph, program, options);
    const bodies = resolveBodies(graph, options.traceBody);
    const work = workOf(smaller, bodies);
    const data = totalWork({ ...work, blocks: 0, messages: 0 });
    if (totalWork(work) <= mostOnSmaller) smallest = { program: smaller, bodies, ...kept };
    // Only data counts: the cost of blocks and messages does not depend on sizes.
    if (data <= enoughData) break;
  }
  return smallest;
}

/** A graph under the plan of a program, with the same steps for its redistributions. */
export function loweredAgain(
  plan: Plan,
  graph: Graph,
  program: SpmdProgram,
  { systems }: SizeOptions,
): SpmdProgram {
  const same = { ...plan, reshards: stepsOf(program) };
  return lower(graph, same, createReshardPlanner(), createPlanMemory(), systems);
}

/** Steps of a program's redistributions, as requests that select the same steps again. */
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
 * The graph on smaller sizes. A function whose body does not run on smaller sizes keeps its own.
 */
function smallerGraph(
  plan: Plan,
  program: SpmdProgram,
  floor: number,
  { traceBody }: SizeOptions,
): Graph {
  const whole = resolveBodies(program.graph, traceBody);
  const functions = program.graph.operators.filter((each) => whole.whole(each) !== undefined);
  const pinned = new Set<OperatorId>();
  for (;;) {
    const hasBody = (operator: Operator) => whole.whole(operator) !== undefined;
    const smaller = smallerSizes(plan, program, { floor, pinned, hasBody });
    const bodies = resolveBodies(smaller, traceBody);
    const failing = functions.filter(({ id }) => !pinned.has(id) && !bodies.has(id));
    if (failing.length === 0) return smaller;
    for (const { id } of failing) pinned.add(id);
  }
}
