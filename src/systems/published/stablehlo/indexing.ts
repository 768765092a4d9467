import { product } from "#core/arithmetic";
import { integer, integers } from "./attributes.ts";
import type { Operation, TensorType } from "./mlir.ts";
import { reducerOf } from "./reductions.ts";
import { indexed } from "./shapes.ts";
import { isSameShape, tupleOf } from "./types.ts";
import { counterText, rangeOf, type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/**
 * Writes a gather of whole rows, or of one number per index along a dim; `undefined` for any other
 * gather. Indices known only at run time are assumed to be in range.
 */
export function lookup(
  writer: Writer,
  operation: Operation,
  [x, index]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const { text } = operation;
  if (type === undefined || x === undefined || index === undefined) return undefined;
  const sizes = integers(text, "slice_sizes") ?? [];
  const collapsed = integers(text, "collapsed_slice_dims") ?? [];
  const starts = integers(text, "start_index_map") ?? [];
  const batching = integers(text, "operand_batching_dims") ?? [];
  const offset = integers(text, "offset_dims") ?? [];
  const vector = integer(text, "index_vector_dim") ?? 0;
  const [dim] = starts;
  const { shape } = x.type;
  const isOne = starts.length === 1 && dim !== undefined && isSameShape(collapsed, [dim]);
  const isLast = vector === index.type.shape.length - 1 && index.type.shape[vector] === 1;
  if (!isOne || !isLast || dim === undefined) return undefined;
  const ids = index.type.shape.slice(0, -1);
  if (batching.length === 0) {
    const isWhole = shape.every((size, at) => (at === dim ? sizes[at] === 1 : sizes[at] === size));
    const first = ids.map((_, at) => at + dim);
    const isThere = offset.every((each) => !first.includes(each));
    if (!isWhole || !isThere) return undefined;
    if (index.kind === "number" && ids.length === 0) {
      // A start out of range is clamped.
      const at = Math.min(Math.max(Number(index.value), 0), (shape[dim] ?? 1) - 1);
      return bind(writer, operation, `${wholeText(x)}.select(${dim}, ${at})`, type);
    }
    if (index.kind !== "tensor") return undefined;
    const flat = reshapedTo(index, ids);
    if (dim === 0 && shape.length === 2 && ids.length > 0) {
      return bind(writer, operation, `F.embedding(${flat}, ${wholeText(x)})`, type);
    }
    const list = reshapedTo(index, [product(ids)]);
    const picked = `${wholeText(x)}.index_select(${dim}, ${list})`;
    const made = type.shape.length === 0 ? "squeeze()" : `reshape(${tupleOf(type.shape)})`;
    return bind(writer, operation, `${picked}.${made}`, type);
  }
  if (index.kind !== "tensor") return undefined;
  const isBesides = isSameShape(
    batching,
    shape.map((_, at) => at).filter((at) => at !== dim),
  );
  const isSingle = sizes.every((size) => size === 1) && offset.length === 0;
  const isAligned = isSameShape(integers(text, "start_indices_batching_dims") ?? [], batching);
  if (!isBesides || !isSingle || !isAligned || ids.length !== shape.length) return undefined;
  return bind(
    writer,
    operation,
    `torch.take_along_dim(${wholeText(x)}, ${reshapedTo(index, ids)}, dim=${dim})`,
    type,
  );
}

/** A value reshaped; if it is itself a reshape of a tensor of that shape, that tensor. */
function reshapedTo(value: Value, shape: readonly number[]): string {
  const base = value.kind === "tensor" ? value.base : undefined;
  if (base !== undefined && isSameShape(base.shape, shape)) return base.text;
  const text = wholeText(value);
  return isSameShape(value.type.shape, shape) ? text : `${text}.reshape(${tupleOf(shape)})`;
}

/**
 * Writes a scatter that adds: rows of a table (the gradient of a lookup), or one number per index
 * along a dim.
 */
export function scattered(
  writer: Writer,
  operation: Operation,
  [x, index, updates]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const { text } = operation;
  if (type === undefined || x === undefined || updates === undefined) return undefined;
  if (index === undefined || reducerOf("", operation.regions[0]) !== "add") return undefined;
  const { shape } = index.type;
  const [dim, ...more] = integers(text, "scatter_dims_to_operand_dims") ?? [];
  const inserted = integers(text, "inserted_window_dims") ?? [];
  const vector = integer(text, "index_vector_dim") ?? 0;
  const isLast = vector === shape.length - 1 && shape.at(-1) === 1;
  if (dim === undefined || more.length > 0 || !isLast || !isSameShape(inserted, [dim]))
    return undefined;
  const scatter = { dim, ids: shape.slice(0, -1), index, updates, type };
  const parts = text.includes("input_batching_dims = [")
    ? alongDim(scatter, text)
    : (ofSlab(scatter, integers(text, "update_window_dims") ?? []) ??
      ofRows(scatter, integers(text, "update_window_dims") ?? []));
  if (parts === undefined) return undefined;
  return bind(writer, operation, `torch.scatter_add(${wholeText(x)}, ${dim}, ${parts})`, type);
}

interface Scatter {
  readonly dim: number;
  readonly ids: readonly number[];
  readonly index: Value;
  readonly updates: Value;
  readonly type: TensorType;
}

/** A scatter with one index: the update is added to the whole slab at that index of the dim. */
function ofSlab(
  { dim, ids, index, updates, type }: Scatter,
  window: readonly number[],
): string | undefined {
  const others = type.shape.toSpliced(dim, 1);
  const isWhole = isSameShape(updates.type.shape, others) && window.length === others.length;
  if (ids.length > 0 || !isWhole || window.some((each, at) => each !== at)) return undefined;
  const slab = type.shape.with(dim, 1);
  const ones = tupleOf(slab.map(() => 1));
  const places =
    index.kind === "number"
      ? `torch.full(${tupleOf(slab)}, ${Number(index.value)}, dtype=torch.int64)`
      : `${wholeText(index)}.reshape(${ones}).expand(${slab.join(", ")})`;
  return `${places}, ${wholeText(updates)}.unsqueeze(${dim})`;
}

function ofRows(
  { dim, ids, index, updates, type }: Scatter,
  window: readonly number[],
): string | undefined {
  const isRows = dim === 0 && type.shape.length === 2 && isSameShape(window, [ids.length]);
  if (!isRows) return undefined;
  const count = product(ids);
  const width = type.shape[1] ?? 1;
  const isFlat = updates.type.shape.length === 2;
  const source = isFlat ? wholeText(updates) : `${wholeText(updates)}.reshape(${count}, ${width})`;
  return `${reshapedTo(index, [count])}.unsqueeze(-1).expand(${count}, ${width}), ${source}`;
}

function alongDim({ dim, ids, index, updates, type }: Scatter, text: string): string | undefined {
  const others = type.shape.map((_, at) => at).filter((at) => at !== dim);
  const isBesides = isSameShape(integers(text, "input_batching_dims") ?? [], others);
  const isAligned = isSameShape(integers(text, "scatter_indices_batching_dims") ?? [], others);
  const isSingle = (integers(text, "update_window_dims") ?? []).length === 0;
  if (!isBesides || !isAligned || !isSingle || ids.length !== type.shape.length) return undefined;
  return `${reshapedTo(index, ids)}, ${wholeText(updates)}`;
}

/** A slice whose starts are known, or derived from a loop counter. */
export function dynamicSlice(
  writer: Writer,
  operation: Operation,
  [x, ...starts]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const sizes = integers(operation.text, "sizes") ?? integers(operation.text, "slice_sizes");
  if (type === undefined || x === undefined || sizes === undefined) return undefined;
  if (x.kind === "number") return { ...x, type };
  const ranges = rangesAt(x.type.shape, sizes, starts);
  if (ranges === undefined) return undefined;
  const isFirst = sizes[0] === 1 && ranges.slice(1).every(({ isWhole }) => isWhole);
  if (isFirst && ranges[0] !== undefined && x.type.shape.length > 1) {
    const rest = { ...type, shape: type.shape.slice(1) };
    const made = bind(writer, operation, `${wholeText(x)}[${ranges[0].from}]`, rest);
    return { ...made, type };
  }
  return bind(writer, operation, indexed(wholeText(x), ranges), type);
}

/** Replaces a part of a tensor, or appends a part to the list that a loop fills. */
export function dynamicUpdate(
  writer: Writer,
  operation: Operation,
  [x, update, ...starts]: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  if (type === undefined || x === undefined || update === undefined) return undefined;
  const ranges = rangesAt(x.type.shape, update.type.shape, starts);
  if (ranges === undefined) return undefined;
  if (x.kind === "stack") {
    const isPart = update.type.shape[0] === 1 && ranges.slice(1).every(({ isWhole }) => isWhole);
    const [start] = starts;
    if (!isPart || start?.kind !== "counter" || rangeOf(start)[0] !== 0) return undefined;
    if (rangeOf(start)[1] !== (type.shape[0] ?? 0) - 1) return undefined;
    const isTurned = start.factor === -1;
    const part = wholeText(update);
    writer.lines.push(isTurned ? `${x.list}.insert(0, ${part})` : `${x.list}.append(${part})`);
    return x;
  }
  const changed = ranges.flatMap(({ isWhole }, dim) => (isWhole ? [] : [dim]));
  const [dim, ...more] = changed;
  if (dim === undefined) return { ...update, type };
  const range = ranges[dim];
  const size = x.type.shape[dim] ?? 0;
  if (more.length > 0 || range === undefined || typeof range.least !== "number") return undefined;
  const text = wholeText(x);
  const open = ":, ".repeat(dim);
  const parts = [
    ...(range.most === 0 ? [] : [`${text}[${open}:${range.from}]`]),
    wholeText(update),
    ...(range.least + range.size === size ? [] : [`${text}[${open}${range.to}:]`]),
  ];
  return bind(writer, operation, `torch.cat([${parts.join(", ")}], ${dim})`, type);
}

interface StartedRange {
  readonly isWhole: boolean;
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly least: number;
  readonly most: number;
  readonly size: number;
}

/**
 * Ranges of a slice with known starts; `undefined` when a start is unknown or may be out of range.
 */
function rangesAt(
  shape: readonly number[],
  sizes: readonly number[],
  starts: readonly Value[],
): readonly StartedRange[] | undefined {
  const ranges = shape.map((whole, dim): StartedRange | undefined => {
    const start = starts[dim];
    const size = sizes[dim] ?? 0;
    if (size === whole) {
      const known = { from: "0", to: String(size), least: 0, most: 0, size };
      return { isWhole: true, text: ":", ...known };
    }
    if (start?.kind === "number" && typeof start.value === "number") {
      const least = Math.min(Math.max(start.value, 0), whole - size);
      const [from, to] = [String(least), String(least + size)];
      return { isWhole: false, text: `${from}:${to}`, from, to, least, most: least, size };
    }
    if (start?.kind !== "counter") return undefined;
    const [least, most] = rangeOf(start);
    if (least < 0 || most + size > whole) return undefined;
    const [from, to] = [counterText(start), counterText(start, size)];
    return { isWhole: false, text: `${from}:${to}`, from, to, least, most, size };
  });
  return ranges.every((each) => each !== undefined) ? ranges : undefined;
}
