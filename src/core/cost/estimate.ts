import { volumeOf } from "#core/indexspace";
import { bytesOf, type Operand, type Operator, type OperatorId, tensorsById } from "#core/ir";
import { blockCount, localElements, type Part } from "#core/mesh";
import { type Microbatches, runShape } from "#core/plan";
import {
  type CollectiveStep,
  entryOfRun,
  type FlatStep,
  type LocalStep,
  type RepeatStep,
  runOf,
  type SpmdProgram,
  type Stage,
  type Step,
  type Value,
  type ValueId,
} from "#core/program";
import { fieldOf, groupedBy } from "#core/records";
import type { Cost, Hardware } from "./cost.ts";

/** Share of the peak that dense kernels reach, in compute and in memory bandwidth. */
export const achievable = 0.7;

/**
 * Modelled time and traffic of one run of a program: the sum over its steps, nothing overlaps.
 *
 * An operator takes `max(flops / (0.7·F), bytes / (0.7·H))`; flops are 2 per point of the index
 * space where some axis is contracted, else none count (planner-plain.md §6); bytes are its local
 * operands and results. A collective takes the seconds of its step.
 *
 * @param sizes bytes of every value (`valueBytes`), where they are known already
 */
export function estimate(
  program: SpmdProgram,
  hardware: Hardware,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): Cost {
  const measure = measureOf(program, sizes);
  const secondsOf = (step: LocalStep) => computeSeconds(step, measure, hardware);
  const work: Work = { computeSeconds: 0, operators: [], collectives: [] };
  for (const stage of program.stages) addStage(work, stage, secondsOf);
  const { computeSeconds: computeTotal, operators, collectives } = work;
  const communicationSeconds = sum(collectives.map(({ step, count }) => count * step.seconds));
  return {
    seconds: computeTotal + communicationSeconds,
    computeSeconds: computeTotal,
    communicationSeconds,
    bytes: sum(collectives.map(({ step, count }) => count * step.bytes)),
    operators,
    collectives: byKind(collectives),
  };
}

/** A collective and how often the program runs it. */
interface Counted {
  readonly step: CollectiveStep;
  readonly count: number;
}

/** What steps add to the cost; a `repeat` its body, as often as it runs. */
interface Work {
  computeSeconds: number;
  readonly operators: Cost["operators"][number][];
  readonly collectives: Counted[];
}

/** The steps of a stage, as often as they run. */
function addStage(
  work: Work,
  { steps, runs = 1 }: Stage,
  secondsOf: (step: LocalStep) => number,
): void {
  const once: Work = { computeSeconds: 0, operators: [], collectives: [] };
  for (const step of steps) addWork(once, step, secondsOf);
  work.computeSeconds += runs * once.computeSeconds;
  for (const { operator, seconds } of once.operators) {
    work.operators.push({ operator, seconds: runs * seconds });
  }
  for (const { step, count } of once.collectives) {
    work.collectives.push({ step, count: runs * count });
  }
}

function addWork(work: Work, step: Step, secondsOf: (step: LocalStep) => number): void {
  if (step.kind === "collective") work.collectives.push({ step, count: 1 });
  else if (step.kind === "local") {
    const seconds = secondsOf(step);
    work.computeSeconds += seconds;
    work.operators.push({ operator: step.operator, seconds });
  } else {
    const repeated = workOfRepeat(step, secondsOf);
    work.computeSeconds += repeated.computeSeconds;
    for (const each of repeated.operators) work.operators.push(each);
    for (const each of repeated.collectives) work.collectives.push(each);
  }
}

function workOfRepeat(step: RepeatStep, secondsOf: (step: LocalStep) => number): Work {
  const runs = Array.from({ length: step.count }, (_, run) => entryOfRun(step, run));
  return workOfBody(runOf(step, 0), step.count, secondsOf, (_, at) => {
    const names = step.names[at];
    return names?.kind === "local" ? runs.flatMap((entry) => names.operators[entry] ?? []) : [];
  });
}

function workOfBody(
  body: readonly FlatStep[],
  count: number,
  secondsOf: (step: LocalStep) => number,
  operatorsOf: (step: LocalStep, at: number) => readonly OperatorId[],
): Work {
  const locals = body.flatMap((step, at) =>
    step.kind === "local" ? [{ seconds: secondsOf(step), names: operatorsOf(step, at) }] : [],
  );
  return {
    computeSeconds: count * sum(locals.map(({ seconds }) => seconds)),
    operators: Array.from({ length: count }, (_, run) =>
      locals.flatMap(({ seconds, names }) =>
        names.slice(run, run + 1).map((operator) => ({ operator, seconds })),
      ),
    ).flat(),
    collectives: body.flatMap((step) => (step.kind === "collective" ? [{ step, count }] : [])),
  };
}

/** What the work of a step is counted by. */
export interface Measure {
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly bytes: (value: ValueId) => number;
  readonly microbatches: Microbatches | undefined;
}

export function measureOf(program: SpmdProgram, sizes: ReadonlyMap<ValueId, number>): Measure {
  return {
    operators: new Map(program.graph.operators.map((operator) => [operator.id, operator])),
    bytes: (value) => sizes.get(value) ?? 0,
    microbatches: program.microbatches,
  };
}

/** Bytes of every value on the device that holds most of it; with micro-batches, of one run. */
export function valueBytes(program: SpmdProgram): ReadonlyMap<ValueId, number> {
  const tensors = tensorsById(program.graph);
  const bytes = new Map<ValueId, number>();
  for (const value of program.values) {
    const tensor = tensors.get(value.tensor);
    const elements = heldElements(value, tensor ? runShape(program.microbatches, tensor) : []);
    bytes.set(value.id, elements * bytesOf(value.dtype));
  }
  return bytes;
}

function heldElements({ layout, held }: Value, shape: readonly number[]): number {
  if (held === undefined) return localElements(layout, shape);
  return held.reduce((most, boxes) => Math.max(most, sum(boxes.map(volumeOf))), 0);
}

function computeSeconds(step: LocalStep, measure: Measure, hardware: Hardware): number {
  const operator = measure.operators.get(step.operator);
  if (operator === undefined) return 0;
  const flopSeconds = localFlops(operator, step, measure) / (achievable * hardware.flops);
  return Math.max(flopSeconds, trafficSeconds(touchedBytes(step, measure), hardware));
}

/** Bytes that a device reads and writes in a step. */
export function touchedBytes({ inputs, outputs }: LocalStep, { bytes }: Measure): number {
  let touched = 0;
  for (const value of inputs) touched += bytes(value);
  for (const value of outputs) touched += bytes(value);
  return touched;
}

/** Modelled seconds to move `bytes` between a device and its memory. */
export function trafficSeconds(bytes: number, { memoryBandwidth }: Hardware): number {
  return bytes / (achievable * memoryBandwidth);
}

/**
 * Floating-point operations of a step on one device.
 *
 * @param hear is told of every factor of the product, in order
 */
export function localFlops(
  operator: Operator,
  step: LocalStep,
  { microbatches }: Measure,
  hear?: (name: string, factor: number) => void,
): number {
  const products = contracts(operator) ? 1 : windowProducts(operator);
  if (products === 0) return 0;
  const rows = microbatches?.axes.get(operator.id);
  hear?.("products and sums", 2);
  if (products !== 1) hear?.("cells of a window", products);
  let points = 1;
  for (const { name, size: all } of operator.axes) {
    const { cuts, sizes } = step.strategy;
    const size = name === rows ? all / (microbatches?.count ?? 1) : all;
    const [parts, lengths] = [fieldOf(cuts, name), fieldOf(sizes, name)];
    const whole = parts === undefined ? size : pointsOf(size, parts);
    const own = lengths === undefined ? whole : Math.max(...lengths);
    hear?.(name, own);
    points *= own;
  }
  return 2 * products * points;
}

/** Points of an index axis that one device runs, in all the pieces that it has. */
function pointsOf(size: number, parts: readonly Part[]): number {
  const inside = parts.filter(({ kind }) => kind === "pieces");
  return Math.ceil(size / blockCount(parts)) * blockCount(inside);
}

/**
 * Products that one index point adds up where windows of several operands meet: as many as the
 * second largest of them has cells. 0 where there are no such windows.
 */
function windowProducts({ inputs }: Operator): number {
  const cells = ({ projection = [] }: Operand) =>
    projection.reduce((product, { extent }) => product * extent, 1);
  const [, second = 1] = inputs.map(cells).sort((a, b) => b - a);
  return second > 1 ? second : 0;
}

/** Collectives of one kind on one set of axes together. */
export function byKind(steps: readonly Counted[]): Cost["collectives"] {
  const groups = groupedBy(steps, (each) => `${each.step.collective} ${each.step.axes.join(",")}`);
  return [...groups.values()].map((group) => ({
    collective: group[0]?.step.collective ?? "slice",
    axes: group[0]?.step.axes ?? [],
    count: sum(group.map(({ count }) => count)),
    bytes: sum(group.map(({ step, count }) => count * step.bytes)),
    seconds: sum(group.map(({ step, count }) => count * step.seconds)),
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Whether an operator contracts an axis, as a matmul: one of two inputs or more, and of no result. */
export function contracts({ inputs, outputs }: Pick<Operator, "inputs" | "outputs">): boolean {
  const kept = new Set<string>();
  for (const { dims } of outputs)
    for (const dim of dims) for (const name of dim.identifiers) kept.add(name);
  const first = new Map<string, Operand>();
  for (const operand of inputs) {
    for (const { identifiers } of operand.dims) {
      for (const name of identifiers) {
        const holder = first.get(name);
        if (holder === undefined) first.set(name, operand);
        else if (holder !== operand && !kept.has(name)) return true;
      }
    }
  }
  return false;
}
