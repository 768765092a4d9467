import { product } from "#core/arithmetic";
import type { Graph, Operator, Tensor, TensorId } from "#core/ir";
import { type DeviceMesh, type Layout, type Part, wholeAxis } from "#core/mesh";
import {
  isSplittable,
  type OperatorPlan,
  type Placement,
  propagate,
  type Requests,
} from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import { expandTraining } from "#core/training";
import { testMesh } from "../../core/plan/graph.testing.ts";
import { type Dice, diceOf, randomGraph } from "./random-graph.testing.ts";

const meshes: readonly Readonly<Record<string, number>>[] = [
  { p: 2 },
  { p: 4 },
  { p: 2, q: 2 },
  { p: 3, q: 2 },
  { p: 2, q: 4 },
  { p: 8 },
  { p: 2, q: 2, r: 2 },
  { p: 4, q: 4 },
  { p: 2, q: 2, r: 4 },
  { p: 16 },
];

/** A random graph under a random plan, lowered. Sizes divide mostly; a few are uneven. */
export function randomProgram(seed: number): SpmdProgram {
  const { graph, mesh, requests } = randomPlanned(diceOf(seed));
  return lower(graph, propagate(graph, mesh, requests).plan);
}

/**
 * A random program as a training step: the sum of its results is the loss, and random operators
 * are computed again.
 */
export function randomTrainingStep(seed: number): SpmdProgram {
  const dice = diceOf(seed);
  const { graph, mesh, requests } = randomPlanned(dice, true);
  const { plan } = propagate(graph, mesh, requests);
  const again = graph.operators.filter(() => dice.below(4) === 0);
  const loss = graph.outputs.at(-1);
  if (loss === undefined) throw new Error("a program without a result");
  const step = expandTraining(graph, plan, {
    loss,
    optimizer: dice.pick(["sgd", "momentum", "adam", "adamw"] as const),
    zero: dice.pick([0, 1, 2, 3] as const),
    recompute: new Set(again.map(({ id }) => id)),
  });
  return lower(step.graph, propagate(step.graph, mesh, step.requests).plan);
}

/** A random graph with the requests of a random text. */
function randomPlanned(
  dice: Dice,
  hasLoss = false,
): {
  readonly graph: Graph;
  readonly mesh: DeviceMesh;
  readonly requests: Requests;
} {
  const axes = dice.pick(meshes);
  const count = product(Object.values(axes));
  const devices = Array.from({ length: count }, (_, device) => device);
  const mesh = testMesh(axes, dice.below(3) === 0 ? devices.reverse() : undefined);
  const graph = randomGraph(dice, hasLoss);
  const placed = graph.tensors.flatMap((tensor) =>
    dice.below(5) > 0 ? [] : [[tensor.id, randomPlacement(tensor, mesh, dice)] as const],
  );
  const placements = new Map(placed);
  const partial = new Map<TensorId, readonly Part[]>();
  const plans = graph.operators.flatMap((operator) => {
    if (dice.below(4) === 0) return [];
    const plan = randomPlan(operator, mesh, dice, carriedThrough(operator, partial, dice));
    for (const { tensor, dims } of operator.outputs) {
      const left =
        operator.reducesInside || placements.has(tensor) ? [] : leftPartial(operator, plan, dims);
      partial.set(tensor, left);
    }
    return [[operator.id, plan] as const];
  });
  return { graph, mesh, requests: { operators: new Map(plans), placements } };
}

/** The parts over which an operator lets its operands stay partial; often none. */
function carriedThrough(
  operator: Operator,
  partial: ReadonlyMap<TensorId, readonly Part[]>,
  dice: Dice,
): readonly Part[] {
  const held = operator.inputs.map(({ tensor }) => partial.get(tensor) ?? []);
  const found = held.flatMap((parts, at) => (parts.length > 0 ? [at] : []));
  const [first] = found;
  const carry = held[first ?? -1] ?? [];
  const isSame = found.every((at) => JSON.stringify(held[at]) === JSON.stringify(carry));
  const isLinear = operator.linear.some((group) => String(group) === String(found));
  return isSame && isLinear && !operator.reducesInside && dice.below(3) > 0 ? carry : [];
}

/** Parts over which an operator leaves a result partial. */
function leftPartial(
  operator: Operator,
  { strategy }: OperatorPlan,
  dims: Operator["outputs"][number]["dims"],
): readonly Part[] {
  const summed = operator.axes.filter(
    ({ name, reduction }) =>
      reduction === "+" && !dims.some(({ identifiers }) => identifiers.includes(name)),
  );
  return [...strategy.carry, ...summed.flatMap(({ name }) => strategy.cuts[name] ?? [])];
}

/**
 * Random plan: some identifiers are cut by some mesh axes in any order; identifiers of brackets
 * evenly.
 */
export function randomPlan(
  operator: Operator,
  mesh: DeviceMesh,
  dice: Dice,
  carry: readonly Part[],
): OperatorPlan {
  const cuts: Record<string, readonly Part[]> = {};
  const dims = [...operator.inputs, ...operator.outputs].flatMap((operand) => operand.dims);
  const carried = new Set(carry.map((part) => (part.kind === "axis" ? part.axis : "")));
  const free = mesh.axes.map(({ name }) => name).filter((name) => !carried.has(name));
  const summed = operator.axes.filter(({ reduction }) => reduction === "+");
  for (const axis of new Set(dice.below(2) === 0 ? [...summed, ...operator.axes] : operator.axes)) {
    if (free.length === 0 || !isSplittable(operator, axis.name)) continue;
    if (dice.below(axis.reduction === "+" ? 4 : 2) === 0) continue;
    const inOutput = operator.outputs.every((output) =>
      output.dims.some(({ identifiers }) => identifiers.includes(axis.name)),
    );
    if (axis.reduction === "" && !inOutput) continue;
    const names = free.splice(dice.below(free.length), 1 + dice.below(2));
    const parts = names.map((name) => wholeAxis(mesh, name));
    const isAlone = dims.every(
      ({ identifiers }) => identifiers.length === 1 || !identifiers.includes(axis.name),
    );
    const isSmall = countOf(parts) <= 4 && countOf(parts) <= axis.size;
    const isUneven = isAlone && isSmall && dice.below(4) === 0;
    if (axis.size % countOf(parts) === 0 || isUneven) cuts[axis.name] = parts;
  }
  return { strategy: { cuts, carry }, mesh, status: "set" };
}

/** Some dims of a tensor cut by some axes. */
export function randomPlacement({ shape }: Tensor, mesh: DeviceMesh, dice: Dice): Placement {
  const free = mesh.axes.map(({ name }) => name);
  const dims = shape.map((size): Layout["dims"][number] => {
    if (free.length === 0 || dice.below(2) === 0) return { parts: [], chunks: "flat" };
    const parts = free.splice(dice.below(free.length), 1).map((name) => wholeAxis(mesh, name));
    return { parts: size % countOf(parts) === 0 ? parts : [], chunks: "flat" };
  });
  return { layout: { mesh, dims, partials: [] }, status: "set" };
}

/** The number of pieces that parts make. */
function countOf(parts: readonly Part[]): number {
  return parts.reduce((n, part) => n * (part.kind === "axis" ? part.size : part.count), 1);
}
