import { fieldOf, memoized } from "#core/records";
import { sameShape } from "../body/traced-body.ts";
import type { Graph, Operand, Operator, OperatorId, Tensor, TensorId } from "../graph.ts";
import { tensorsById } from "../graph.ts";
import { type CopiedOperand, copiedByProduct, type Lying } from "./product-copies.ts";
import { contiguousStrides, denseStrides, dimOrder, isContiguous, viewStrides } from "./strides.ts";

/** Memory of a graph's tensors: which tensors share memory, and the order of their elements. */
export interface Storages {
  /** Tensor whose memory each tensor views; itself if it owns its memory. */
  readonly holder: ReadonlyMap<TensorId, TensorId>;
  /** Distance in elements between neighbours along each dim, by tensor. */
  readonly strides: ReadonlyMap<TensorId, readonly number[]>;
  /** Operators that run nothing: their results are views of an operand's memory. */
  readonly views: ReadonlySet<OperatorId>;
  /** Operands that products copy before they run, by operator. */
  readonly copied: ReadonlyMap<OperatorId, readonly CopiedOperand[]>;
}

/**
 * Memory of a graph's tensors if its operators run in program order. Views use their operand's
 * memory, elementwise results have their operand's order of elements, and products make row-major
 * results. A `reshape` or `contiguous` copies only if no strides can express its result.
 *
 * Strides are those of whole tensors; a device's block has the same order of dims.
 */
export const storagesOf: (graph: Graph) => Storages = memoized((graph) => {
  return new StorageReader(graph).read(graph);
});

/** Remembered by shape object, since many tensors share one. */
const rowMajor = memoized(contiguousStrides);

/**
 * The graph with the strides of every tensor written into it, so that a part of it keeps the
 * strides of the whole.
 */
export function withStrides(graph: Graph): Graph {
  const { strides } = storagesOf(graph);
  const tensors = graph.tensors.map((tensor): Tensor => {
    const own = strides.get(tensor.id);
    const isUsual = own === undefined || isContiguous(tensor.shape, own);
    return isUsual ? tensor : { ...tensor, strides: own };
  });
  return tensors.every((tensor, at) => tensor === graph.tensors[at])
    ? graph
    : { ...graph, tensors };
}

class StorageReader {
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly holder = new Map<TensorId, TensorId>();
  private readonly strides = new Map<TensorId, readonly number[]>();
  private readonly views = new Set<OperatorId>();
  private readonly copied = new Map<OperatorId, readonly CopiedOperand[]>();

  constructor(graph: Graph) {
    this.tensors = tensorsById(graph);
  }

  read({ tensors, operators }: Graph): Storages {
    for (const { id, shape, producer, strides } of tensors)
      if (producer === undefined) this.own(id, strides ?? rowMajor(shape));
    for (const operator of operators) this.place(operator);
    for (const { id, shape } of tensors) if (!this.holder.has(id)) this.own(id, rowMajor(shape));
    const { holder, strides, views, copied } = this;
    return { holder, strides, views, copied };
  }

  private own(tensor: TensorId, strides: readonly number[]): void {
    this.holder.set(tensor, tensor);
    this.strides.set(tensor, strides);
  }

  private place(operator: Operator): void {
    const call = this.callOf(operator);
    const [shown] = call.inputs;
    const views = call.isKnown && shown !== undefined ? shownBy(call, shown) : undefined;
    const isView = views !== undefined && views.length === operator.outputs.length;
    if (isView) this.views.add(operator.id);
    const copied = call.isKnown ? copiedByProduct(operator, call.inputs, call.outputs[0]) : [];
    if (copied.length > 0) this.copied.set(operator.id, copied);
    for (const [index, { tensor }] of operator.outputs.entries()) {
      const strides = isView ? views[index] : madeStrides(call, index);
      this.own(tensor, strides ?? []);
      if (isView && shown !== undefined)
        this.holder.set(tensor, this.holder.get(shown.tensor) ?? shown.tensor);
    }
  }

  private callOf(operator: Operator): StoredCall {
    let isKnown = true;
    const lying = ({ tensor, dims }: Operand): Lying => {
      const { shape = [], dtype = "f32", isUnknown } = this.tensors.get(tensor) ?? {};
      if (isUnknown === true) isKnown = false;
      const strides = this.strides.get(tensor) ?? rowMajor(shape);
      return { tensor, dims, shape, dtype, strides };
    };
    const [inputs, outputs] = [operator.inputs.map(lying), operator.outputs.map(lying)];
    return { operator, isKnown, inputs, outputs };
  }
}

interface StoredCall {
  readonly operator: Operator;
  readonly isKnown: boolean;
  readonly inputs: readonly Lying[];
  readonly outputs: readonly Lying[];
}

type Views = readonly (readonly number[])[] | undefined;

/**
 * Strides of an operator's results as views of its operand; `undefined` for an operator that
 * computes its results.
 */
function shownBy(call: StoredCall, shown: Lying): Views {
  const { entry } = call.operator;
  const show = entry === undefined ? undefined : fieldOf(viewing, entry);
  return show?.(call, shown);
}

/**
 * For library entries whose results may be views of the first operand: the strides of these views.
 */
const viewing: Readonly<Record<string, (call: StoredCall, shown: Lying) => Views>> = {
  reshape: reshaped,
  flatten: reshaped,
  squeeze: reshaped,
  unsqueeze: reshaped,
  permute: permuted,
  transpose: permuted,
  einsum: (call, shown) =>
    call.inputs.length === 1 && (call.operator.attributes.scale ?? 1) === 1
      ? permuted(call, shown)
      : undefined,
  expand: expanded,
  split: parted,
  chunk: parted,
  slice: sliced,
  select: selected,
  cast: (call, shown) => (call.outputs[0]?.dtype === shown.dtype ? [shown.strides] : undefined),
  dropout: (call, shown) => (call.operator.attributes.p === 0 ? [shown.strides] : undefined),
  sum_to: (call, shown) =>
    sameShape(call.outputs[0]?.shape ?? [], shown.shape) ? [shown.strides] : undefined,
  identity: ({ operator }, shown) => {
    const isCopy = operator.op === "contiguous" && !isContiguous(shown.shape, shown.strides);
    return isCopy || operator.op === "clone" ? undefined : [shown.strides];
  },
};

function reshaped({ outputs }: StoredCall, { shape, strides }: Lying): Views {
  const found = viewStrides(shape, strides, outputs[0]?.shape ?? []);
  return found && [found];
}

/** View that reorders dims: every dim of the operand occurs once in the result. */
function permuted({ outputs }: StoredCall, shown: Lying): Views {
  const places = new Map<string, number>();
  for (const [dim, { identifiers }] of shown.dims.entries())
    if (shown.shape[dim] !== 1) places.set(identifiers.join(" "), shown.strides[dim] ?? 1);
  const [result] = outputs;
  const long = result?.dims.filter((_, dim) => result.shape[dim] !== 1) ?? [];
  const isWhole = places.size === shown.shape.filter((size) => size !== 1).length;
  if (result === undefined || !isWhole || long.length !== places.size) return undefined;
  const names = result.dims.map(({ identifiers }) => identifiers.join(" "));
  const isNamed = names.every((name, dim) => result.shape[dim] === 1 || places.has(name));
  return isNamed ? [names.map((name) => places.get(name) ?? 1)] : undefined;
}

/** The view of `expand`: an expanded dim has stride 0. */
function expanded({ outputs }: StoredCall, { shape, strides }: Lying): Views {
  const wanted = outputs[0]?.shape ?? [];
  const skipped = wanted.length - shape.length;
  return [
    wanted.map((size, dim) => (shape[dim - skipped] === size ? (strides[dim - skipped] ?? 1) : 0)),
  ];
}

function parted({ outputs }: StoredCall, { strides }: Lying): Views {
  return outputs.map(() => strides);
}

function dimNamed({ operator }: StoredCall, { shape }: Lying): number {
  const { dim = operator.attributes.axis ?? 0 } = operator.attributes;
  const at = typeof dim === "number" ? dim : 0;
  return at < 0 ? at + shape.length : at;
}

function sliced(call: StoredCall, shown: Lying): Views {
  const { step } = call.operator.attributes;
  const stride = typeof step === "number" ? Math.max(1, step) : 1;
  const along = dimNamed(call, shown);
  return [shown.strides.map((each, dim) => (dim === along ? each * stride : each))];
}

function selected(call: StoredCall, shown: Lying): Views {
  const along = dimNamed(call, shown);
  const strides = shown.strides.filter((_, dim) => dim !== along);
  return [call.outputs[0]?.shape.length === strides.length ? strides : []];
}

/** Strides of a result that has memory of its own. */
function madeStrides(call: StoredCall, index: number): readonly number[] {
  const { operator } = call;
  const result = call.outputs[index];
  if (result === undefined) return [];
  const order = call.isKnown ? madeOrder(operator, call, result) : undefined;
  return order === undefined ? rowMajor(result.shape) : denseStrides(result.shape, order);
}

/**
 * The order of a result's dims in memory, if it is not row-major: an element-wise result has the
 * order of the first operand of its shape, attention's has its heads inside its rows.
 */
function madeOrder(
  operator: Operator,
  { inputs }: StoredCall,
  { shape, dims }: Lying,
): readonly number[] | undefined {
  const rank = shape.length;
  if (rank === 4 && isAttention(operator)) return [0, 2, 1, 3];
  if (operator.entry === "einsum" && inputs.length === 2 && operator.phase === undefined)
    return productOrder(inputs, dims);
  const isRowMajor = operator.op === "contiguous" || operator.entry === "masked_fill";
  const like =
    isElementWise(operator) && !isRowMajor
      ? inputs.find((input) => sameShape(input.shape, shape))
      : undefined;
  return like && dimOrder(like.strides);
}

/** Whether an operator is attention, a gradient of it, or a last stage of either. */
function isAttention({ entry, body, op }: Operator): boolean {
  const name = entry ?? (body === undefined ? "" : op);
  return /(?:^|_)attention(?:_backward)?$/u.test(name);
}

/**
 * The order of dims in a product of two: shared dims first, then the first operand's own, then the
 * second's.
 */
function productOrder(inputs: readonly Lying[], dims: Lying["dims"]): readonly number[] {
  const [first, second] = inputs.map(
    (input) => new Set(input.dims.flatMap(({ identifiers }) => identifiers)),
  );
  const rankOf = (dim: number) => {
    const name = dims[dim]?.identifiers[0] ?? "";
    return first?.has(name) ? (second?.has(name) ? 0 : 1) : 2;
  };
  return dims.map((_, dim) => dim).sort((a, b) => rankOf(a) - rankOf(b) || a - b);
}

/** Whether each element of the result depends on one element of each operand, dim by dim. */
function isElementWise({ axes, inputs, outputs }: Operator): boolean {
  if (axes.some(({ reduction }) => reduction !== "")) return false;
  return [...inputs, ...outputs].every(
    ({ dims, projection }) =>
      projection === undefined && dims.every(({ identifiers }) => identifiers.length === 1),
  );
}
