import { integer, integers } from "./attributes.ts";
import type { Operation, TensorType } from "./mlir.ts";
import { countOf, isSameShape, torchDtype, tupleOf } from "./types.ts";
import { numberText, type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

type TensorOf = Extract<Value, { readonly kind: "tensor" }>;

type Shaped = (
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
  type: TensorType,
) => Value | undefined;

/** Operations that rearrange or reshape tensors. */
const shaped: Readonly<Record<string, Shaped>> = {
  "stablehlo.broadcast_in_dim": inAnyShape(broadcast),
  "stablehlo.reshape": inAnyShape(reshaped),
  "stablehlo.transpose": transposed,
  "stablehlo.slice": sliced,
  "stablehlo.concatenate": concatenated,
  "stablehlo.reverse": reversed,
  "stablehlo.iota": counted,
  "stablehlo.pad": padded,
};

/** Writes an operation on shapes; `undefined` for any other. */
export function shapeOperation(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const write = Object.hasOwn(shaped, operation.name) ? shaped[operation.name] : undefined;
  return type === undefined ? undefined : write?.(writer, operation, operands, type);
}

/** Applies a reshape to tensors; a constant only changes its type, a list is refused. */
function inAnyShape(
  shape: (operation: Operation, x: TensorOf, type: TensorType) => Value | undefined,
): Shaped {
  return (_writer, operation, [x], type) => {
    if (x === undefined || x.kind === "stack") return undefined;
    return x.kind === "tensor" ? shape(operation, x, type) : { ...x, type };
  };
}

function broadcast(operation: Operation, x: TensorOf, type: TensorType): Value | undefined {
  const dims = integers(operation.text, "dims") ?? [];
  const isInOrder = dims.every((dim, at) => at === 0 || dim > (dims[at - 1] ?? 0));
  if (!isInOrder || dims.length !== x.type.shape.length) return undefined;
  const padded = type.shape.map((_, dim) => x.type.shape[dims.indexOf(dim)] ?? 1);
  const first = padded.findIndex((size, dim) => size !== 1 || dims.includes(dim));
  const own = first < 0 ? [] : padded.slice(first);
  if (isSameShape(own, x.shape) || isSameShape(own, x.type.shape)) return { ...x, type };
  const isOfBase = x.base !== undefined && countOf(x.base.shape) === countOf(own);
  const base = (isOfBase && x.base) || { text: wholeText(x), shape: x.type.shape };
  return { kind: "tensor", text: inShape(base, own), shape: own, type, base };
}

/** A reshaped tensor; an added dim of size 1 is written as `unsqueeze`. */
function inShape(
  { text, shape }: { readonly text: string; readonly shape: readonly number[] },
  wanted: readonly number[],
): string {
  if (isSameShape(shape, wanted)) return text;
  const at = wanted.findIndex(
    (size, dim) => size === 1 && isSameShape(wanted.toSpliced(dim, 1), shape),
  );
  if (at >= 0) return `${text}.unsqueeze(${at === wanted.length - 1 ? -1 : at})`;
  return wanted.length === 0 ? `${text}.squeeze()` : `${text}.reshape(${tupleOf(wanted)})`;
}

function reshaped(_operation: Operation, x: TensorOf, type: TensorType): Value {
  const isWhole = countOf(x.shape) === countOf(x.type.shape);
  const base = isWhole
    ? (x.base ?? { text: x.text, shape: x.shape })
    : { text: wholeText(x), shape: x.type.shape };
  if (isSameShape(base.shape, type.shape)) return { kind: "tensor", ...base, type };
  if (isSameShape(x.shape, type.shape)) return { ...x, type };
  return { kind: "tensor", text: inShape(base, type.shape), shape: type.shape, type, base };
}

function transposed(
  writer: Writer,
  operation: Operation,
  [x]: readonly Value[],
  type: TensorType,
): Value | undefined {
  if (x === undefined || x.kind === "stack") return undefined;
  if (x.kind === "number") return { ...x, type };
  const dims = integers(operation.text, "dims") ?? [];
  const text = wholeText(x);
  if (dims.every((dim, at) => dim === at)) return { kind: "tensor", text, shape: type.shape, type };
  return bind(writer, operation, `${text}.permute(${dims.join(", ")})`, type);
}

/** `x[0:4, 2:8:2]`: a whole dim is `:`, and trailing whole dims are omitted. */
export function indexed(
  text: string,
  ranges: readonly { readonly isWhole: boolean; readonly text: string }[],
): string {
  const last = ranges.findLastIndex(({ isWhole }) => !isWhole);
  if (last < 0) return text;
  const parts = ranges.slice(0, last + 1).map((each) => (each.isWhole ? ":" : each.text));
  return `${text}[${parts.join(", ")}]`;
}

function sliced(
  writer: Writer,
  operation: Operation,
  [x]: readonly Value[],
  type: TensorType,
): Value | undefined {
  if (x === undefined) return undefined;
  if (x.kind === "number") return { ...x, type };
  const ranges = [...operation.text.matchAll(/(\d+):(\d+)(?::(\d+))?/gu)].map(
    ([, from = "0", to = "0", step = "1"], dim) => ({
      isWhole: from === "0" && Number(to) === x.type.shape[dim] && step === "1",
      text: step === "1" ? `${from}:${to}` : `${from}:${to}:${step}`,
    }),
  );
  if (ranges.length !== x.type.shape.length) return undefined;
  return bind(writer, operation, indexed(wholeText(x), ranges), type);
}

function concatenated(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
  type: TensorType,
): Value | undefined {
  const dim = integer(operation.text, "dim");
  if (dim === undefined) return undefined;
  const [only] = operands;
  if (operands.length === 1 && only !== undefined) return only;
  return bind(
    writer,
    operation,
    `torch.cat([${operands.map(wholeText).join(", ")}], ${dim})`,
    type,
  );
}

function reversed(
  writer: Writer,
  operation: Operation,
  [x]: readonly Value[],
  type: TensorType,
): Value | undefined {
  if (x === undefined) return undefined;
  const dims = integers(operation.text, "dims") ?? [];
  return bind(writer, operation, `torch.flip(${wholeText(x)}, [${dims.join(", ")}])`, type);
}

function counted(
  writer: Writer,
  operation: Operation,
  _operands: readonly Value[],
  type: TensorType,
): Value | undefined {
  const dim = integer(operation.text, "dim");
  const size = dim === undefined ? undefined : type.shape[dim];
  const dtype = torchDtype(type.dtype);
  if (dim === undefined || size === undefined || dtype === undefined) return undefined;
  const row = { shape: [size], dtype: type.dtype };
  const made = bind(writer, operation, `torch.arange(${size}, dtype=${dtype})`, row);
  const shape = type.shape.slice(dim).map((each, at) => (at === 0 ? each : 1));
  const base = { text: made.text, shape: [size] };
  return { kind: "tensor", text: inShape(base, shape), shape, type, base, counts: dim };
}

function padded(
  writer: Writer,
  operation: Operation,
  [x, value]: readonly Value[],
  type: TensorType,
): Value | undefined {
  const [low, high] = ["low", "high"].map((name) => integers(operation.text, name) ?? []);
  const interior = integers(operation.text, "interior") ?? [];
  if (x === undefined || value?.kind !== "number" || low === undefined || high === undefined) {
    return undefined;
  }
  if (interior.some((each) => each !== 0)) return undefined;
  const kept = x.type.shape.map((size, dim) => {
    const [from, to] = [Math.max(0, -(low[dim] ?? 0)), size + Math.min(0, high[dim] ?? 0)];
    return { isWhole: from === 0 && to === size, text: `${from}:${to}` };
  });
  const inner = indexed(wholeText(x), kept);
  const sides = type.shape.map((_, dim) => [low[dim] ?? 0, high[dim] ?? 0]).toReversed();
  const amounts = sides.flat().map((each) => Math.max(0, each));
  if (amounts.every((each) => each === 0)) return bind(writer, operation, inner, type);
  const number = numberText(value.value, type.dtype);
  return bind(writer, operation, `F.pad(${inner}, (${amounts.join(", ")}), value=${number})`, type);
}
