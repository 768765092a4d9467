import { product, sum } from "#core/arithmetic";
import type { Graph, Operator, TensorId } from "#core/ir";
import { cellsPerPoint, type Definition, type Loop, operatorBody } from "#core/ir/body";
import { blockCount, localElements } from "#core/mesh";
import {
  type CollectiveStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
} from "#core/program";
import { pinnedLoop } from "#execute/engine";
import type { ResolvedBodies } from "./resolve-bodies.ts";

/** The work of a run, counted before it begins. */
export interface RunWork extends Weighted {
  /** The points of the unsharded run and of all devices' runs, by kind of operator. */
  readonly whole: PointCounts;
  readonly devices: PointCounts;
  /** Steps of the program, written out. */
  readonly steps: number;
}

/** Points of index spaces: of sums of products, which are fast, and of everything else. */
export interface PointCounts {
  readonly products: number;
  readonly others: number;
}

/** The parts of a run's work that decide its duration. */
interface Weighted {
  /** Points of the index spaces, unsharded and on all devices. */
  readonly points: number;
  /** Elements that all devices hold of all values. */
  readonly elements: number;
  /** Blocks that devices hold or make: one per device and value or step. */
  readonly blocks: number;
  /** Pairs of devices that exchange messages in some step. */
  readonly messages: number;
  /** Elements that are added up in reductions. */
  readonly joined: number;
}

/**
 * Weights of the parts of a run, in points of equal duration: a block or a message costs more than
 * its data.
 */
const weights: Weighted = { points: 1, elements: 2, blocks: 500, messages: 40, joined: 2 };

/** The work of a run, in points. */
export function totalWork(work: Weighted): number {
  return (
    work.points * weights.points +
    work.elements * weights.elements +
    work.blocks * weights.blocks +
    work.messages * weights.messages +
    work.joined * weights.joined
  );
}

/**
 * The work of running a program and its graph unsharded, and of comparing them; micro-batches run
 * side by side, each with the same work.
 */
export function workOf(program: SpmdProgram, bodies: ResolvedBodies): RunWork {
  const { graph } = program;
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const operators = new Map(graph.operators.map((operator) => [operator.id, operator]));
  const sizes = new Map(program.values.map((value) => [value.id, sizeOf(value, shapes)]));
  const all = [...sizes.values()];
  const whole = { products: 0, others: 0 };
  const devicePoints = { products: 0, others: 0 };
  let points = pointsIn(graph, bodies);
  const computed = new Map(
    graph.operators.map((each) => [each.id, computedPoints(each, shapes, bodies)]),
  );
  for (const each of graph.operators) whole[kindOf(each)] += computed.get(each.id) ?? 0;
  let blocks = all.reduce((sum, { devices }) => sum + devices, 0);
  const elements = all.reduce((sum, { devices, local }) => sum + devices * local, 0);
  let [messages, joined] = [0, 0];
  for (const step of flatSteps(program)) {
    const id = step.kind === "local" ? step.outputs[0] : step.output;
    const { devices, local } = (id && sizes.get(id)) ?? { devices: 1, local: 1 };
    blocks += devices;
    if (step.kind === "local") {
      const operator = operators.get(step.operator);
      if (operator !== undefined) {
        points += devices * Math.ceil(pointsAt(operator, bodies) / partsOf(step));
        const own = Math.ceil((computed.get(operator.id) ?? 0) / partsOf(step));
        devicePoints[kindOf(operator)] += devices * own;
      }
    } else {
      const group = groupSize(step);
      messages += devices * group;
      if (step.collective === "reduce-scatter") joined += devices * group * local;
      if (step.collective === "all-reduce") joined += devices * local;
    }
  }
  const times = program.microbatches?.count ?? 1;
  const timesOf = ({ products, others }: PointCounts) => ({
    products: products * times,
    others: others * times,
  });
  return {
    points: points * times,
    whole: timesOf(whole),
    devices: timesOf(devicePoints),
    steps: flatSteps(program).length,
    elements: elements * times,
    blocks: blocks * times,
    messages: messages * times,
    joined: joined * times,
  };
}

/** Entries that are sums of products of two operands. */
const products: ReadonlySet<string> = new Set(["matmul", "linear", "einsum", "addmm"]);

/** The kind of an operator; a function without a body runs as a product. */
function kindOf({ entry, points }: Operator): keyof PointCounts {
  const isProduct = points === undefined && (entry === undefined || products.has(entry));
  return isProduct ? "products" : "others";
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

/** The number of parts into which a step cuts its operator's index space. */
function partsOf({ strategy: { cuts } }: LocalStep): number {
  return Object.values(cuts).reduce((product, each) => product * blockCount(each), 1);
}

/**
 * Points computed by an operator, summed over the tables and results of its body. A lookup computes
 * a single term of its sum.
 */
function computedPoints(
  operator: Operator,
  shapes: ReadonlyMap<TensorId, readonly number[]>,
  bodies: ResolvedBodies,
): number {
  if (operator.points !== undefined || operator.passage !== undefined) return 0;
  if (bodies.whole(operator) !== undefined) return pointsAt(operator, bodies);
  const { call, body } = operatorBody(operator, (id) => shapes.get(id) ?? []);
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const along = (loops: readonly Loop[]) =>
    loops.reduce((product, { axis, size }) => product * (size ?? sizes.get(axis) ?? 1), 1);
  const summed = (definition: Definition) => {
    const pinned = pinnedLoop(definition);
    return along(definition.over.filter(({ axis }) => axis !== pinned?.axis));
  };
  const tables = body.tables.map((table) => along(table.axes) * summed(table));
  const outputs = body.outputs.map((definition, at) => {
    const shape = call.outputs[at]?.shape ?? [];
    return product(shape) * summed(definition);
  });
  return sum([...tables, ...outputs]);
}

/** The points of index spaces that an unsharded run of a graph visits. */
export function pointsIn(graph: Graph, bodies?: ResolvedBodies): number {
  return graph.operators.reduce((sum, operator) => sum + pointsAt(operator, bodies), 0);
}

function pointsAt(operator: Operator, bodies?: ResolvedBodies): number {
  const body = bodies?.whole(operator);
  if (body !== undefined) return pointsIn(body.graph);
  const cells = operator.points === undefined ? 1 : cellsPerPoint(operator);
  return operator.axes.reduce((product, { size }) => product * Math.max(1, size), cells);
}
