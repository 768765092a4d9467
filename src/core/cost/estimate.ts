import { bytesOf, type Operator, type OperatorId } from "#core/ir";
import { localElements, type Part } from "#core/mesh";
import type { CollectiveStep, LocalStep, SpmdProgram, Value, ValueId } from "#core/program";
import type { Cost, Hardware } from "./cost.ts";

/** Share of the peak that dense kernels reach, in compute and in memory bandwidth. */
const achievable = 0.7;

/**
 * Modelled time and traffic of one run of a program: the sum over its steps, nothing overlaps.
 *
 * An operator takes `max(flops / (0.7·F), bytes / (0.7·H))`; flops are 2 per point of the index
 * space where some axis is contracted, else none count (planner-plain.md §6); bytes are its local
 * operands and results. A collective takes the seconds of its step.
 */
export function estimate(program: SpmdProgram, hardware: Hardware): Cost {
  const steps = program.stages.flatMap((stage) => stage.steps);
  const locals = steps.filter((step) => step.kind === "local");
  const collectives = steps.filter((step) => step.kind === "collective");
  const measure = measureOf(program);
  const operators = locals.map((step) => ({
    operator: step.operator,
    seconds: computeSeconds(step, measure, hardware),
  }));
  const computeTotal = sum(operators.map((entry) => entry.seconds));
  const communicationSeconds = sum(collectives.map((step) => step.seconds));
  return {
    seconds: computeTotal + communicationSeconds,
    computeSeconds: computeTotal,
    communicationSeconds,
    bytes: sum(collectives.map((step) => step.bytes)),
    operators,
    collectives: byKind(collectives),
  };
}

interface Measure {
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly bytes: (value: ValueId) => number;
}

function measureOf(program: SpmdProgram): Measure {
  const sizes = valueBytes(program);
  return {
    operators: new Map(program.graph.operators.map((operator) => [operator.id, operator])),
    bytes: (value) => sizes.get(value) ?? 0,
  };
}

/** Bytes of every value on the device that holds most of it. */
export function valueBytes(program: SpmdProgram): ReadonlyMap<ValueId, number> {
  const shapes = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor.shape]));
  const bytes = (value: Value) =>
    localElements(value.layout, shapes.get(value.tensor) ?? []) * bytesOf(value.dtype);
  return new Map(program.values.map((value) => [value.id, bytes(value)]));
}

function computeSeconds(step: LocalStep, measure: Measure, hardware: Hardware): number {
  const operator = measure.operators.get(step.operator);
  if (operator === undefined) return 0;
  const touched = sum([...step.inputs, ...step.outputs].map(measure.bytes));
  const flopSeconds = localFlops(operator, step) / (achievable * hardware.flops);
  return Math.max(flopSeconds, touched / (achievable * hardware.memoryBandwidth));
}

function localFlops(operator: Operator, step: LocalStep): number {
  if (!contracts(operator)) return 0;
  const points = operator.axes.map((axis) => {
    const pieces = (step.strategy.cuts[axis.name] ?? []).reduce(
      (n, part) => n * pieceCount(part),
      1,
    );
    return Math.ceil(axis.size / pieces);
  });
  return 2 * points.reduce((product, size) => product * size, 1);
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

function pieceCount(part: Part): number {
  return part.kind === "axis" ? part.size : part.count;
}

function byKind(steps: readonly CollectiveStep[]): Cost["collectives"] {
  const groups = new Map<string, CollectiveStep[]>();
  for (const step of steps) {
    const key = `${step.collective} ${step.axes.join(",")}`;
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  return [...groups.values()].map((group) => ({
    collective: group[0]?.collective ?? "slice",
    axes: group[0]?.axes ?? [],
    count: group.length,
    bytes: sum(group.map((step) => step.bytes)),
    seconds: sum(group.map((step) => step.seconds)),
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
