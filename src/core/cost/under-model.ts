import { product, sum } from "#core/arithmetic";
import {
  bytesOf,
  type Operator,
  type OperatorId,
  operatorsById,
  type Tensor,
  type TensorId,
  tensorsById,
} from "#core/ir";
import { blockCount, type Layout } from "#core/mesh";
import { type Microbatches, runShape } from "#core/plan";
import {
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
  valuesById,
} from "#core/program";
import { required } from "#core/records";
import { contractsAxis } from "./contracts-axis.ts";
import type { Cost, Memory } from "./cost.ts";
import { byKind } from "./estimate.ts";
import type { CostModel, LocalWork } from "./model.ts";
import { optimizerStateBytes } from "./optimizer-state.ts";

/**
 * Seconds and traffic of a program whose collectives a model has priced already: the sum over its
 * steps. Only operators of the forward pass count, once more for every operand whose gradient is
 * made. The backward steps themselves and the update are free (planner-plain.md §9).
 */
export function costUnderModel(program: SpmdProgram, model: CostModel): Cost {
  const index = indexOf(program);
  const steps = program.stages.flatMap((stage) =>
    flatSteps({ ...program, stages: [stage] }).map((step) => ({ step, count: stage.runs ?? 1 })),
  );
  const operators = steps.flatMap(({ step, count }) => {
    if (step.kind !== "local" || step.phase !== "forward") return [];
    const seconds = runsOf(step, index) * model.computeSeconds(workOf(step, index));
    return [{ operator: step.operator, seconds: count * seconds }];
  });
  const sent = steps.flatMap(({ step, count }) =>
    step.kind === "collective" ? [{ step, count, seconds: count * step.seconds }] : [],
  );
  const computeSeconds = sum(operators.map(({ seconds }) => seconds));
  const communicationSeconds = sum(sent.map(({ seconds }) => seconds));
  return {
    seconds: computeSeconds + communicationSeconds,
    computeSeconds,
    communicationSeconds,
    exposedSeconds: communicationSeconds,
    hiddenSeconds: 0,
    hostSeconds: 0,
    limit: "device",
    flops: Number.NaN,
    basis: "sheet",
    bytes: sum(sent.map(({ step, count }) => count * step.bytes)),
    operators,
    collectives: byKind(sent),
  };
}

/** Facts besides the program that determine its memory. */
export interface Held {
  /** Placements that the text sets, by tensor. */
  readonly placements: ReadonlyMap<TensorId, { readonly layout: Layout }>;
  /** Optimizer and ZeRO level of a training step. */
  readonly training?: { readonly optimizer: string; readonly zero: number };
}

/**
 * Memory of one device as planners count it (planner-plain.md §7), independent of execution order.
 * It counts all computed values, each placed value once more, and the results of all
 * redistributions of the forward pass. For each trained parameter it adds the gradient (at rest, or
 * with ZeRO 2 as its update cuts it) and the optimizer's state (as the update cuts it).
 */
export function memoryUnderModel(program: SpmdProgram, { placements, training }: Held): Memory {
  const index = indexOf(program);
  const made = [...program.made.values()].flatMap((id) => index.values.get(id) ?? []);
  const copies = program.redistributions.flatMap(({ output }) => index.values.get(output) ?? []);
  const ofRoles = (values: readonly Value[], ...roles: readonly Value["role"][]) =>
    values.filter((value) => roles.includes(value.role) && !index.tensorOf(value).replaces);
  const bytes = (value: Pick<Value, "layout" | "tensor">) => index.bytesOf(value);
  const placed = ofRoles(made, "activation").flatMap(({ tensor, id }) => {
    const layout = placements.get(tensor)?.layout;
    return layout === undefined ? [] : [{ id, tensor, layout }];
  });
  const parameters = ofRoles(made, "parameter");
  const inputs = ofRoles(made, "input");
  const activations = [
    ...ofRoles(made, "activation"),
    ...placed,
    ...ofRoles(copies, "parameter", "input", "activation"),
  ];
  const sums = {
    parameterBytes: sum(parameters.map(bytes)),
    inputBytes: sum(inputs.map((value) => bytesIn(value.layout, index.tensorOf(value)))),
    activationBytes: sum(activations.map(bytes)),
    ...trainedBytes(program, index, training),
  };
  const alive = [...parameters, ...inputs, ...activations]
    .map((value) => ({ value: value.id, bytes: bytes(value) }))
    .sort((a, b) => b.bytes - a.bytes || (a.value < b.value ? -1 : 1));
  return {
    ...{ peakBytes: sum(Object.values(sums)), afterForwardBytes: Number.NaN, curve: [] },
    ...sums,
    ...{ workspaceBytes: 0, reservedBytes: 0 },
    alive,
  };
}

/** Bytes of parameters' gradients and of optimizer states. */
function trainedBytes(program: SpmdProgram, index: Index, training: Held["training"]) {
  let [gradientBytes, optimizerBytes] = [0, 0];
  const { optimizer = "sgd", zero = 0 } = training ?? {};
  for (const { updated, rest } of training === undefined ? [] : updatesOf(program, index)) {
    const tensor = index.tensorOf(updated);
    const worked = bytesIn(updated.layout, tensor);
    gradientBytes += zero >= 2 ? worked : bytesIn(rest, tensor);
    const element = bytesOf(tensor.dtype);
    optimizerBytes += (worked / element) * optimizerStateBytes(optimizer, element);
  }
  return { gradientBytes, optimizerBytes };
}

interface Index {
  readonly operators: ReadonlyMap<OperatorId, Operator>;
  readonly values: ReadonlyMap<ValueId, Value>;
  readonly tensorOf: (value: Pick<Value, "tensor">) => Tensor;
  readonly hasGradient: (tensor: TensorId) => boolean;
  /** Bytes of a value on a device; with micro-batches, in one run. */
  readonly bytesOf: (value: Pick<Value, "tensor" | "layout">) => number;
  readonly microbatches: Microbatches | undefined;
}

function indexOf({ graph, values, microbatches }: SpmdProgram): Index {
  const tensors = tensorsById(graph);
  const trained = new Set(graph.tensors.map(({ gradientOf }) => gradientOf));
  const tensorOf = ({ tensor }: Pick<Value, "tensor">) => {
    return required(tensors, tensor, "tensor");
  };
  return {
    operators: operatorsById(graph),
    values: valuesById({ values }),
    tensorOf,
    hasGradient: (tensor) => trained.has(tensor),
    bytesOf: (value) => {
      const tensor = tensorOf(value);
      return bytesIn(value.layout, { ...tensor, shape: runShape(microbatches, tensor) });
    },
    microbatches,
  };
}

/**
 * How often an operator counts: once forward, and once backward for each operand with a gradient.
 */
function runsOf({ operator: id }: LocalStep, { operators, hasGradient }: Index): number {
  const operator = operators.get(id);
  const made = operator?.outputs.some(({ tensor }) => hasGradient(tensor)) ?? false;
  const wanted = operator?.inputs.filter(({ tensor }) => hasGradient(tensor)).length ?? 0;
  return made ? 1 + wanted : 1;
}

function workOf(step: LocalStep, index: Index): LocalWork {
  const operator = index.operators.get(step.operator);
  const valuesOf = (ids: readonly ValueId[]) => ids.flatMap((id) => index.values.get(id) ?? []);
  const bytes = (values: readonly Value[]) => sum(values.map((value) => index.bytesOf(value)));
  const outputs = valuesOf(step.outputs);
  const readBytes = bytes(valuesOf(step.inputs));
  return {
    flops:
      operator !== undefined && contractsAxis(operator) ? 2 * pointsOf(operator, step, index) : 0,
    bytes: readBytes + bytes(outputs),
    readBytes,
    partialBytes: bytes(outputs.filter(({ layout }) => layout.partials.length > 0)),
  };
}

function pointsOf({ id, axes }: Operator, { strategy }: LocalStep, index: Index): number {
  const points = axes.reduce((product, { size }) => product * size, 1);
  const runs = index.microbatches?.axes.has(id) === true ? index.microbatches.count : 1;
  return points / runs / blockCount(Object.values(strategy.cuts).flat());
}

/** Bytes that a device holds; unequal pieces count as their mean. */
function bytesIn({ dims }: Layout, { shape, dtype }: Tensor): number {
  const elements = product(shape);
  return (elements * bytesOf(dtype)) / blockCount(dims.flatMap(({ parts }) => parts));
}

/** Updated parameters, each in the layout of its update and in its layout at rest. */
function updatesOf(program: SpmdProgram, index: Index) {
  return flatSteps(program).flatMap((step) => {
    if (step.kind !== "local" || step.phase !== "update") return [];
    const [updated] = step.outputs.flatMap((id) => index.values.get(id) ?? []);
    const old = updated && index.tensorOf(updated).replaces;
    const rest = old && index.values.get(program.made.get(old) ?? updated.id);
    return updated === undefined || !rest ? [] : [{ updated, rest: rest.layout }];
  });
}
