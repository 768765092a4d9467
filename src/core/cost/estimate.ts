import { volumeOf } from "#core/indexspace";
import { bytesOf, type Operand, type Operator, type OperatorId } from "#core/ir";
import { localElements, type Part, partSize } from "#core/mesh";
import {
  type CollectiveStep,
  entryOf,
  type FlatStep,
  type LocalStep,
  runOf,
  type SpmdProgram,
  type Step,
  type Value,
  type ValueId,
} from "#core/program";
import type { Cost, Hardware } from "./cost.ts";

/** Share of the peak that dense kernels reach, in compute and in memory bandwidth. */
const achievable = 0.7;

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
  const work = program.stages
    .flatMap((stage) => stage.steps)
    .map((step) => workOf(step, secondsOf));
  const collectives = work.flatMap((each) => each.collectives);
  const computeTotal = sum(work.map((each) => each.computeSeconds));
  const communicationSeconds = sum(collectives.map(({ step, count }) => count * step.seconds));
  return {
    seconds: computeTotal + communicationSeconds,
    computeSeconds: computeTotal,
    communicationSeconds,
    bytes: sum(collectives.map(({ step, count }) => count * step.bytes)),
    operators: work.flatMap((each) => each.operators),
    collectives: byKind(collectives),
  };
}

/** A collective and how often the program runs it. */
interface Counted {
  readonly step: CollectiveStep;
  readonly count: number;
}

/** What a step adds to the cost; a `repeat` its body, as often as it runs. */
interface Work {
  readonly computeSeconds: number;
  readonly operators: Cost["operators"];
  readonly collectives: readonly Counted[];
}

const noWork: Work = { computeSeconds: 0, operators: [], collectives: [] };

function workOf(step: Step, secondsOf: (step: LocalStep) => number): Work {
  if (step.kind === "collective") return { ...noWork, collectives: [{ step, count: 1 }] };
  if (step.kind === "local") {
    const seconds = secondsOf(step);
    return {
      ...noWork,
      computeSeconds: seconds,
      operators: [{ operator: step.operator, seconds }],
    };
  }
  const runs = Array.from({ length: step.count }, (_, run) => entryOf(step, run));
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

interface Measure {
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly bytes: (value: ValueId) => number;
}

function measureOf(program: SpmdProgram, sizes: ReadonlyMap<ValueId, number>): Measure {
  return {
    operators: new Map(program.graph.operators.map((operator) => [operator.id, operator])),
    bytes: (value) => sizes.get(value) ?? 0,
  };
}

/** Bytes of every value on the device that holds most of it. */
export function valueBytes(program: SpmdProgram): ReadonlyMap<ValueId, number> {
  const shapes = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor.shape]));
  const bytes = (value: Value) =>
    heldElements(value, shapes.get(value.tensor) ?? []) * bytesOf(value.dtype);
  return new Map(program.values.map((value) => [value.id, bytes(value)]));
}

function heldElements({ layout, held }: Value, shape: readonly number[]): number {
  if (held === undefined) return localElements(layout, shape);
  return held.reduce((most, boxes) => Math.max(most, sum(boxes.map(volumeOf))), 0);
}

function computeSeconds(step: LocalStep, measure: Measure, hardware: Hardware): number {
  const operator = measure.operators.get(step.operator);
  if (operator === undefined) return 0;
  const touched = sum([...step.inputs, ...step.outputs].map(measure.bytes));
  const flopSeconds = localFlops(operator, step) / (achievable * hardware.flops);
  return Math.max(flopSeconds, touched / (achievable * hardware.memoryBandwidth));
}

function localFlops(operator: Operator, step: LocalStep): number {
  const products = contracts(operator) ? 1 : windowProducts(operator);
  if (products === 0) return 0;
  const points = operator.axes.map((axis) => {
    const parts = step.strategy.cuts[axis.name] ?? [];
    const inside = parts.filter(({ kind }) => kind === "pieces");
    return Math.ceil(axis.size / piecesIn(parts)) * piecesIn(inside);
  });
  return 2 * products * points.reduce((product, size) => product * size, 1);
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

/** Whether some identifier stands in at least two operands and in no result. */
function contracts(operator: Operator): boolean {
  const holds = (operand: Operator["inputs"][number], name: string) =>
    operand.dims.some((dim) => dim.identifiers.includes(name));
  return operator.axes.some(
    ({ name }) =>
      operator.inputs.filter((operand) => holds(operand, name)).length >= 2 &&
      !operator.outputs.some((operand) => holds(operand, name)),
  );
}

function piecesIn(parts: readonly Part[]): number {
  return parts.reduce((count, part) => count * partSize(part), 1);
}

function byKind(steps: readonly Counted[]): Cost["collectives"] {
  const groups = new Map<string, Counted[]>();
  for (const each of steps) {
    const key = `${each.step.collective} ${each.step.axes.join(",")}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
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
