import type { Diagnostic, Span } from "#core/diagnostics";
import { parseDType } from "#core/ir";
import { sizeOf, type TensorBindings, writtenShapeOf } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integersOf,
  itemsOf,
  textOf,
} from "#language/document/bindings/values";
import {
  knownSize,
  type Recorder,
  type Size,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "#language/document/trace";
import type { Argument, HostFunction, HostObject, Value } from "#language/python";
import { dynamicSize } from "./symbol.ts";

/**
 * `mindspore.Tensor(…)` and `mindspore.Parameter(…)`: from data, a shape, or another tensor. A
 * tuple of integers is read as a shape, as by the native words, unless the data type is an integer
 * type.
 */
export function mindsporeLeaf(
  recorder: Recorder,
  tensors: TensorBindings,
  role: "input" | "parameter",
): HostFunction {
  return hostFunction(role === "input" ? "Tensor" : "Parameter", (args, context, span) => {
    const { bound } = bindArguments(parametersOf[role], args);
    const dtypeText = textOf(bound.get("dtype")?.value);
    const data = asNumbers(bound.get("input_data") ?? bound.get("default_input"), dtypeText);
    const known = tensors.tensorOf(data?.value);
    if (known !== undefined && isTaken(known, role)) {
      const tensor = given(recorder, known, role, dtypeText);
      if (role === "input") tensor.hasData = true;
      return trainedAs(tensors.object(tensor), tensors, bound);
    }
    const like = known && shapeOfData(recorder, known);
    const dynamic = dynamicShape(bound.get("shape")?.value);
    if (dynamic !== undefined) context.report(readAtOne(dynamic, bound.get("shape")?.span ?? span));
    const shape = like ?? dynamic ?? shapeIn(bound.get("shape"), data);
    const isGiven = !dynamic && shape?.every((size) => typeof size === "number") === true;
    const constant = role === "input" ? numbersIn(data?.value) : undefined;
    const status = isGiven ? "set" : "assumed";
    const spec = {
      role,
      shape,
      shapeStatus: status,
      ...(constant && { constant }),
      // A tensor made of data of unknown shape has no known shape either.
      ...(known?.isUnknown === true && { isUnknown: true }),
      ...(dynamic && { dynamicDims: dynamicDimsOf(bound.get("shape")?.value) }),
      span,
    } as const;
    const types = dtypesOf(dtypeText ?? known?.dtypeText ?? typeOf(data?.value));
    return trainedAs(tensors.object(recorder.leaf({ ...spec, ...types }, context)), tensors, bound);
  });
}

/** Sets whether a tensor is trained, if `requires_grad` is given. */
function trainedAs(
  tensor: HostObject,
  tensors: TensorBindings,
  bound: ReadonlyMap<string, Argument>,
): HostObject {
  const asked = bound.get("requires_grad")?.value;
  if (asked?.kind === "bool") tensors.setTrained(tensor, asked.value);
  return tensor;
}

/**
 * Reads a tuple with an integer data type, `Tensor((4, 8), ms.int64)`, as a list of data instead of
 * a shape.
 */
function asNumbers(data: Argument | undefined, dtype: string | undefined): Argument | undefined {
  if (data?.value.kind !== "tuple" || !/^u?int\d/.test(dtype ?? "")) return data;
  return { ...data, value: { kind: "list", items: [...data.value.items] } };
}

/**
 * The constant elements of a tensor: a list of integers, or one number that fills it; else
 * `undefined`.
 */
function numbersIn(value: Value | undefined): TracedTensor["constant"] {
  if (value === undefined || value.kind === "tuple") return undefined;
  const number = value.kind === "float" || value.kind === "int" ? Number(value.value) : undefined;
  if (number !== undefined) return { kind: "fill", value: number };
  const values = value.kind === "list" ? integersOf(value) : undefined;
  return values && { kind: "data", values };
}

const parametersOf = {
  input: ["input_data", "dtype", "shape", "init", "const_arg", "device"],
  parameter: ["default_input", "name", "requires_grad", "layerwise_parallel", "parallel_optimizer"],
} as const;

/** Default data type: int64 for integers, else float32. */
function typeOf(data: Value | undefined): string {
  const isWhole = data?.kind === "int" || (data?.kind === "list" && integersOf(data) !== undefined);
  return isWhole ? "int64" : "f32";
}

/**
 * Whether a data tensor itself becomes the wanted input or parameter. A second Parameter of the
 * same data is a new tensor.
 */
function isTaken({ producer, role: has }: TracedTensor, role: "input" | "parameter"): boolean {
  return producer === undefined && (role === "input" || has !== "parameter");
}

function given(
  recorder: Recorder,
  tensor: TracedTensor,
  role: "input" | "parameter",
  dtypeText: string | undefined,
): TracedTensor {
  const isRead = recorder.trace.operators.some(({ inputs }) => inputs.includes(tensor));
  if (role === "parameter") tensor.role = "parameter";
  if (dtypeText !== undefined && !isRead) Object.assign(tensor, dtypesOf(dtypeText));
  return tensor;
}

/** The data type of a name; float32 if the name is unknown. */
export function dtypesOf(written: string): Pick<TracedTensor, "dtype" | "dtypeText"> {
  const dtype = parseDType(written === "bool_" ? "bool" : written);
  return dtype === undefined ? { dtype: "f32", dtypeText: "f32" } : { dtype, dtypeText: written };
}

/** Tensors whose values became data of other tensors, per run of a program. */
const dataOf = new WeakMap<Trace, Set<TracedTensor>>();

/**
 * The shape of data that numpy operators computed; these operators are dropped from the graph
 * later.
 */
function shapeOfData({ trace }: Recorder, data: TracedTensor): readonly Size[] | undefined {
  const all = dataOf.get(trace) ?? new Set();
  dataOf.set(trace, all.add(data));
  return data.shape;
}

/** Removes operators that only computed data of tensors from a trace. */
export function dropData(trace: Trace): void {
  const left = new Set<TracedOperator>();
  const read = new Map<TracedTensor, number>();
  for (const { inputs } of trace.operators)
    for (const input of inputs)
      if (input.kind === "tensor") read.set(input, (read.get(input) ?? 0) + 1);
  const open = [...(dataOf.get(trace) ?? [])];
  for (let data = open.pop(); data !== undefined; data = open.pop()) {
    const { producer } = data;
    if (producer === undefined || left.has(producer)) continue;
    if (producer.outputs.some((each) => (read.get(each) ?? 0) > 0)) continue;
    left.add(producer);
    for (const input of producer.inputs) {
      if (input.kind !== "tensor") continue;
      read.set(input, (read.get(input) ?? 1) - 1);
      open.push(input);
    }
  }
  if (left.size === 0) return;
  const kept = trace.operators.filter((operator) => !left.has(operator));
  trace.operators.splice(0, trace.operators.length, ...kept);
  const isLeft = ({ producer }: TracedTensor) => producer !== undefined && left.has(producer);
  const tensors = trace.tensors.filter((tensor) => !isLeft(tensor));
  trace.tensors.splice(0, trace.tensors.length, ...tensors);
}

/** The shape given by `shape=`, or that of the data: a tuple of integers is a shape itself. */
function shapeIn(
  said: Argument | undefined,
  data: Argument | undefined,
): readonly Size[] | undefined {
  const argument = said ?? data;
  if (argument === undefined) return undefined;
  const { value } = argument;
  if (said === undefined && value.kind === "list") return dataShape(value);
  if (itemsOf(value) !== undefined) return writtenShapeOf(value);
  const isNumber = value.kind === "int" || value.kind === "float" || value.kind === "bool";
  return said === undefined && isNumber ? [] : undefined;
}

function readAtOne(shape: readonly Size[], span: Span): Diagnostic {
  const sizes = shape.map((size) => knownSize(size) ?? "?").join(", ");
  return {
    code: "mindspore/dynamic-shape",
    severity: "warning",
    message: `some lengths are known when the program runs only: read as (${sizes}), with what divides them, or as the lengths that they meet, and so are all figures`,
    span,
  };
}

/**
 * A shape with lengths known only at run time, each as an assumed size; `undefined` for any other
 * shape.
 */
function dynamicShape(value: Value | undefined): readonly Size[] | undefined {
  const items = (value && itemsOf(value)) ?? [];
  if (!items.some((item) => dynamicSize(item) !== undefined)) return undefined;
  const sizes = items.map((item) => dynamicSize(item) ?? sizeOf(item));
  return sizes.every((size) => size !== undefined) ? sizes : undefined;
}

function dynamicDimsOf(value: Value | undefined): readonly number[] {
  const items = (value && itemsOf(value)) ?? [];
  return items.flatMap((item, dim) => (dynamicSize(item) === undefined ? [] : [dim]));
}

function dataShape(value: Value): readonly number[] {
  const items = itemsOf(value);
  return items === undefined ? [] : [items.length, ...(items[0] ? dataShape(items[0]) : [])];
}

/** Names of initializers in lower case; MindSpore 2.10 ignores case. */
const initializers: ReadonlySet<string> = new Set([
  ...["dirac", "he_normal", "he_uniform", "henormal", "heuniform", "identity", "normal", "one"],
  ...["ones", "orthogonal", "sparse", "truncatednormal", "uniform", "variancescaling", "zero"],
  ...["xavier_normal", "xavier_uniform", "xaviernormal", "xavieruniform", "zeros"],
]);

/** `initializer(init, shape, dtype)`: a tensor whose values are generated lazily. */
export function initializerWord(recorder: Recorder, tensors: TensorBindings): HostFunction {
  return hostFunction("initializer", (args, context, span) => {
    const { bound } = bindArguments(["init", "shape", "dtype"], args);
    const named = textOf(bound.get("init")?.value);
    if (named !== undefined && !initializers.has(named.toLowerCase())) {
      const message = `For 'initializer', the class corresponding to '${named}' was not found.`;
      return context.raise("ValueError", message, bound.get("init")?.span ?? span);
    }
    const init = tensors.tensorOf(bound.get("init")?.value);
    if (init !== undefined) return tensors.object(init);
    const written = bound.get("shape");
    const shape = written && (writtenShapeOf(written.value) ?? undefined);
    const isGiven = shape?.every((size) => typeof size === "number") === true;
    const types = dtypesOf(textOf(bound.get("dtype")?.value) ?? "f32");
    const status = { shapeStatus: isGiven ? "set" : "assumed" } as const;
    return tensors.object(
      recorder.leaf({ role: "input", shape, ...status, ...types, span }, context),
    );
  });
}
