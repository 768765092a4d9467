import type { Graph, Operand, Operator, TensorId } from "#core/ir";
import { operatorBody, type TracedBody } from "#core/ir/body";
import { type Arithmetic, constantOf, isIntegral, roundingOf } from "./arithmetic.ts";
import { runOperator } from "./run-operator.ts";
import { emptyWhole, exactWhole, type WholeTensor } from "./whole-tensor.ts";

/** The traced bodies of a graph's registered functions, on whole operands. */
export type WholeBodies = (operator: Operator) => TracedBody | undefined;

/**
 * The origin of a tensor: given, made as a whole, or one of its parts made by one of several
 * operators.
 */
export type TensorOrigin = "given" | "whole" | "part";

/** Widens a tensor's bounds by the rounding with which devices store it. */
export type Widen = (tensor: TensorId, made: WholeTensor, kind: TensorOrigin) => WholeTensor;

/** Options of an unsharded run. */
export interface ReferenceOptions {
  /** The bodies of registered functions; a function without one runs as a product. */
  readonly bodies?: WholeBodies;
  /**
   * The largest number allowed: the run ends after the operator that exceeds it, and later tensors
   * are missing.
   */
  readonly mostPeak?: number;
  /**
   * Replaces a computed tensor for its later readers; the tensor itself if absent. Tensors that
   * several operators write in parts are never replaced.
   */
  readonly readAs?: (tensor: TensorId, made: WholeTensor) => WholeTensor;
  /** Widens the bounds of every tensor; they are those of the computation alone if absent. */
  readonly widened?: Widen;
}

/** The result of running a graph unsharded. */
export interface ReferenceRun {
  readonly tensors: ReadonlyMap<TensorId, WholeTensor>;
  /** The largest absolute value, or sum of absolute values, that occurred in the run. */
  readonly peak: number;
  /** Operators without a known body, which ran as the product of their operands. */
  readonly assumed: readonly Operator[];
}

/**
 * Runs a graph on whole tensors by plain loops in double precision: the oracle of every engine.
 * Each element has a bound for the rounding error of any order of the same operations.
 *
 * @param inputs all inputs and parameters, and data that enters on the way, row-major
 */
export function runReference(
  graph: Graph,
  inputs: ReadonlyMap<TensorId, Float64Array>,
  arithmetic: Arithmetic,
  options: ReferenceOptions = {},
): ReferenceRun {
  const tensors = new Map<TensorId, WholeTensor>();
  const made = new Set(
    graph.operators.flatMap(({ outputs }) => outputs.map((each) => each.tensor)),
  );
  for (const { id, shape } of graph.tensors) {
    const given = inputs.get(id);
    if (given === undefined) continue;
    // A tensor that operators write into is copied, so that the given values are preserved.
    const whole = made.has(id) ? wholeOf(shape, given) : exactWhole(shape, given);
    tensors.set(id, options.widened?.(id, whole, "given") ?? whole);
  }
  const read = new Map(tensors);
  const run = runAll(graph, { tensors, read }, arithmetic, options);
  return { tensors, ...run };
}

/** Operators' results, and the tensors that later operators read of them. */
interface Wholes {
  readonly tensors: Map<TensorId, WholeTensor>;
  readonly read: Map<TensorId, WholeTensor>;
}

/** Runs every operator of a graph, and adds its results to the tensors. */
function runAll(
  graph: Graph,
  { tensors, read }: Wholes,
  arithmetic: Arithmetic,
  { bodies = () => undefined, mostPeak = Infinity, readAs, widened }: ReferenceOptions,
): Omit<ReferenceRun, "tensors"> {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const shapeOf = (id: TensorId) => shapes.get(id) ?? [];
  const assumed: Operator[] = [];
  let peak = 0;
  for (const operator of graph.operators) {
    if (operator.passage !== undefined) continue;
    const traced = bodies(operator);
    const run =
      traced === undefined
        ? runUntraced(operator, read, shapeOf, arithmetic, assumed)
        : runTraced(traced, operator, read, shapeOf, arithmetic);
    peak = Math.max(peak, run.peak);
    operator.outputs.forEach(({ tensor }, at) => {
      const computed = run.outputs[at];
      if (computed === undefined) return;
      const isPart = operator.points !== undefined;
      const whole = widened?.(tensor, computed, isPart ? "part" : "whole") ?? computed;
      tensors.set(tensor, whole);
      read.set(tensor, isPart ? whole : (readAs?.(tensor, whole) ?? whole));
    });
    if (peak > mostPeak) break;
  }
  return { peak, assumed };
}

function runUntraced(
  operator: Operator,
  tensors: ReadonlyMap<TensorId, WholeTensor>,
  shapeOf: (id: TensorId) => readonly number[],
  arithmetic: Arithmetic,
  assumed: Operator[],
) {
  const { call, body, isAssumed, points } = operatorBody(operator, shapeOf);
  if (isAssumed) assumed.push(operator);
  const made =
    points === undefined ? [] : operator.outputs.map((each) => partly(each, tensors, shapeOf));
  const given = [...operator.inputs];
  const operands = call.inputs.map((input) => {
    const operand = input === undefined ? undefined : given.shift();
    return operand && tensors.get(operand.tensor);
  });
  return runOperator({ call, body, made, ...(points && { points }) }, operands, arithmetic);
}

/** A result of which several operators make parts: the parts so far, NaN elsewhere. */
function partly(
  { tensor }: Operand,
  tensors: ReadonlyMap<TensorId, WholeTensor>,
  shapeOf: (id: TensorId) => readonly number[],
): WholeTensor {
  const earlier = tensors.get(tensor);
  if (earlier !== undefined) return earlier;
  const whole = emptyWhole(shapeOf(tensor));
  whole.values.fill(Number.NaN);
  return whole;
}

/** Runs the body of a registered function; a result that is no tensor is NaN. */
function runTraced(
  { graph, inputs, outputs, constants }: TracedBody,
  operator: Operator,
  tensors: ReadonlyMap<TensorId, WholeTensor>,
  shapeOf: (id: TensorId) => readonly number[],
  arithmetic: Arithmetic,
) {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const inner = new Map<TensorId, WholeTensor>();
  for (const [id, numbers] of constants) {
    const known = numbers.map((number) => constantOf(number, arithmetic));
    inner.set(id, wholeOf(shapes.get(id) ?? [], known));
  }
  for (const [at, id] of inputs.entries()) {
    const whole = tensors.get(operator.inputs[at]?.tensor ?? id);
    if (whole !== undefined) inner.set(id, { ...whole, shape: shapes.get(id) ?? [] });
  }
  const { peak } = runAll(graph, { tensors: inner, read: inner }, arithmetic, {});
  const slack = isIntegral(arithmetic) ? 0 : slackOf(inner, roundingOf(arithmetic).unit);
  const results = operator.outputs.map(({ tensor }, at): WholeTensor => {
    const shape = shapeOf(tensor);
    const id = outputs[at];
    const whole = id === undefined ? undefined : inner.get(id);
    if (whole === undefined) return wholeOf(shape, emptyWhole(shape).values.fill(Number.NaN));
    const errors = Float64Array.from(
      whole.values,
      (_, cell) => 4 * (whole.errors[cell] ?? 0) + slack,
    );
    return { shape, values: whole.values, errors };
  });
  return { outputs: results, peak };
}

/**
 * The additional error where parts of a result are larger than the result: a device rounds its own
 * part, and only the sum of all parts cancels.
 */
function slackOf(tensors: ReadonlyMap<TensorId, WholeTensor>, unit: number): number {
  let largest = 0;
  for (const { values } of tensors.values()) {
    for (const value of values) {
      const size = Math.abs(value);
      if (size > largest && size !== Number.POSITIVE_INFINITY) largest = size;
    }
  }
  return 64 * unit * largest;
}

function wholeOf(shape: readonly number[], given: Float64Array): WholeTensor {
  const whole = emptyWhole(shape);
  whole.values.set(given);
  return whole;
}
