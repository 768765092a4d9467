import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import type { Recorder } from "../trace/recorder.ts";
import { trains } from "../trace/repeated-rounds.ts";
import type { Size } from "../trace/size.ts";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import { integerOf } from "./values/values.ts";

/** Parts needed to record rows of data. */
export interface DataParts {
  readonly recorder: Recorder;
  tensorOf(value: Value | undefined): TracedTensor | undefined;
}

/**
 * `data[i:i + n]` with a random `i` in a text that trains: a batch of n samples, recorded as an
 * input. Cutting it out is no part of the training step. `undefined` for other indices.
 */
export function dataRow(
  parts: DataParts,
  self: HostObject,
  keys: readonly Value[],
  context: Context,
  span: Span,
): TracedTensor | undefined {
  const [key, another] = keys;
  const data = parts.tensorOf(self);
  if (key?.kind !== "slice" || another !== undefined || data === undefined) return undefined;
  if (parts.tensorOf(key.start) === undefined || !isRaw(data)) return undefined;
  if (!trains(context.source)) return undefined;
  const [start, stop] = [placeOf(parts, key.start), placeOf(parts, key.stop)];
  const count = start?.base === stop?.base ? (stop?.offset ?? 0) - (start?.offset ?? 0) : 0;
  if (count < 1) return undefined;
  return dataLeaf(parts, data, [count, ...(data.shape?.slice(1) ?? [])], context, span);
}

/**
 * A stack of data samples, as a loader builds a batch, recorded as one input. `undefined` when an
 * operand is no sample.
 */
export function dataBatch(
  parts: DataParts,
  inputs: readonly (TracedTensor | PlainOperand)[],
  context: Context,
  span: Span,
): TracedTensor | undefined {
  const rows = inputs.map(sampleOf);
  const [first] = rows;
  if (first === undefined || rows.includes(undefined)) return undefined;
  const [made] = inputs;
  const like = made?.kind === "tensor" ? made : first;
  const sizes = first.shape ?? first.leading ?? [];
  return dataLeaf(parts, { ...like, shape: first.shape }, [rows.length, ...sizes], context, span);
}

/** The data sample behind a tensor, also through one cast. */
function sampleOf(input: TracedTensor | PlainOperand): TracedTensor | undefined {
  if (input.kind !== "tensor") return undefined;
  if (input.isData === true) return input;
  const cast = input.producer?.inputs.length === 1 ? input.producer.inputs[0] : undefined;
  return cast?.kind === "tensor" && cast.isData === true ? cast : undefined;
}

/** Whether a tensor is input data of the text, or a slice of it. */
export function isRaw({ role, producer }: TracedTensor): boolean {
  if (producer === undefined) return role === "input";
  const [from] = producer.inputs;
  return /^(?:getitem|slice)$/u.test(producer.op) && from?.kind === "tensor" && isRaw(from);
}

/** An index split into a drawn base tensor and a constant offset. */
function placeOf(
  parts: DataParts,
  value: Value,
): { readonly base: TracedTensor | undefined; readonly offset: number } | undefined {
  const tensor = parts.tensorOf(value);
  if (tensor !== undefined) return placeBehind(tensor);
  const offset = integerOf(value);
  return offset === undefined ? undefined : { base: undefined, offset };
}

function placeBehind(tensor: TracedTensor): {
  readonly base: TracedTensor;
  readonly offset: number;
} {
  const { producer } = tensor;
  const sign = producer?.entry === "add" ? 1 : producer?.entry === "sub" ? -1 : 0;
  const [left, right] = producer?.inputs ?? [];
  const [inner, added] = left?.kind === "tensor" ? [left, right] : [right, left];
  if (sign === 0 || inner?.kind !== "tensor" || added?.kind !== "plain")
    return { base: tensor, offset: 0 };
  const { base, offset } = placeBehind(inner);
  return { base, offset: offset + sign * (added.integer ?? 0) };
}

function dataLeaf(
  { recorder }: DataParts,
  { shape, dtype, dtypeText }: Pick<TracedTensor, "shape" | "dtype" | "dtypeText">,
  sizes: readonly Size[],
  context: Context,
  span: Span,
): TracedTensor {
  const isKnown = shape !== undefined;
  const said = isKnown ? { shape: sizes } : { shape: undefined, leading: sizes };
  const status = isKnown && sizes.every((size) => typeof size === "number") ? "set" : "assumed";
  const tensor = recorder.leaf(
    { role: "input", ...said, shapeStatus: status, dtype, dtypeText, span },
    context,
  );
  tensor.isData = true;
  return tensor;
}
