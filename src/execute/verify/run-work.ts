import { cellsPerPoint, type Graph, type Operator, type TensorId } from "#core/ir";
import { blockCount, localElements } from "#core/mesh";
import {
  type CollectiveStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
} from "#core/program";
import type { ResolvedBodies } from "./resolve-bodies.ts";
import type { WholeCost } from "./shrunk.ts";

/** What a run has to do, counted before it begins. */
export interface RunWork {
  /** Points of the index spaces, unsharded and on all devices. */
  readonly points: number;
  /** Elements that all devices hold of all values. */
  readonly elements: number;
  /** Blocks that devices hold or make, one per device and value or step. */
  readonly blocks: number;
  /** Pairs of devices that talk with each other in some step. */
  readonly messages: number;
  /** Elements that are added up in reductions. */
  readonly joined: number;
}

/** So many points take as long as one of each: what a block or a message needs is not its data. */
const weights: RunWork = { points: 1, elements: 2, blocks: 500, messages: 40, joined: 2 };

/** The work of a run, in points. */
export function totalWork(work: RunWork): number {
  return (
    work.points * weights.points +
    work.elements * weights.elements +
    work.blocks * weights.blocks +
    work.messages * weights.messages +
    work.joined * weights.joined
  );
}

/** Points that a processor visits in a second, about. */
const pointsPerSecond = 10_000_000;

/** Bytes of a number where a processor holds it. */
const numberBytes = 8;

/** What a run takes on a processor, in words of its reader. */
export function wholeCost(work: RunWork): WholeCost {
  return {
    operations: work.points,
    bytes: work.elements * numberBytes,
    seconds: totalWork(work) / pointsPerSecond,
  };
}

/**
 * What it takes to run a program, and its graph unsharded, and to compare them; micro-batches run
 * side by side, each as much.
 */
export function workOf(program: SpmdProgram, bodies: ResolvedBodies): RunWork {
  const { graph } = program;
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const sizes = new Map(program.values.map((value) => [value.id, sizeOf(value, shapes)]));
  const all = [...sizes.values()];
  let points = pointsIn(graph, bodies);
  let blocks = all.reduce((sum, { devices }) => sum + devices, 0);
  const elements = all.reduce((sum, { devices, local }) => sum + devices * local, 0);
  let [messages, joined] = [0, 0];
  for (const step of flatSteps(program)) {
    const id = step.kind === "local" ? step.outputs[0] : step.output;
    const { devices, local } = (id && sizes.get(id)) ?? { devices: 1, local: 1 };
    blocks += devices;
    if (step.kind === "local") {
      const operator = operators.get(step.operator);
      if (operator !== undefined) points += devices * localPoints(operator, step, bodies);
    } else {
      const group = groupSize(step);
      messages += devices * group;
      if (step.collective === "reduce-scatter") joined += devices * group * local;
      if (step.collective === "all-reduce") joined += devices * local;
    }
  }
  const times = program.microbatches?.count ?? 1;
  return {
    points: points * times,
    elements: elements * times,
    blocks: blocks * times,
    messages: messages * times,
    joined: joined * times,
  };
}

interface ValueSize {
  readonly devices: number;
  /** Elements on the fullest device. */
  readonly local: number;
}

function sizeOf(
  { layout, tensor }: Value,
  shapes: ReadonlyMap<TensorId, readonly number[]>,
): ValueSize {
  const local = localElements(layout, shapes.get(tensor) ?? []);
  return { devices: layout.mesh.devices.length, local };
}

/** Devices that one device compares its block with: all of its group, or one for a transfer. */
function groupSize({ collective, groups, pairs }: CollectiveStep): number {
  if (collective === "slice" || collective === "collective-permute" || pairs !== undefined)
    return 1;
  return groups.reduce((most, { length }) => Math.max(most, length), 1);
}

/** Points that one device visits of an operator. */
function localPoints(operator: Operator, step: LocalStep, bodies: ResolvedBodies): number {
  const { cuts } = step.strategy;
  const parts = Object.values(cuts).reduce((product, each) => product * blockCount(each), 1);
  return Math.ceil(pointsAt(operator, bodies) / parts);
}

/** How many points of index spaces an unsharded run of a graph visits. */
export function pointsIn(graph: Graph, bodies?: ResolvedBodies): number {
  return graph.operators.reduce((sum, operator) => sum + pointsAt(operator, bodies), 0);
}

function pointsAt(operator: Operator, bodies?: ResolvedBodies): number {
  const body = bodies?.whole(operator);
  if (body !== undefined) return pointsIn(body.graph);
  const cells = operator.points === undefined ? 1 : cellsPerPoint(operator);
  return operator.axes.reduce((product, { size }) => product * Math.max(1, size), cells);
}
