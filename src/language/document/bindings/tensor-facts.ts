import { product } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import type { Context, Value } from "#language/python";
import type { AskedSize } from "../asked-numbers.ts";
import { provisional, type Size } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import { unknownFact } from "./assumed.ts";
import { askedLater, giveRank, rankByLayer, unpackedInto } from "./guessed-rank.ts";
import type { TensorAccess } from "./tensor-calls.ts";
import { hostFunction, integer, integerOf, none } from "./values/values.ts";

/** Attribute of a tensor that follows from its data type or shape; `undefined` for other names. */
export function factOf(access: TensorAccess, context: Context): Value | undefined {
  const { tensor, name, span } = access;
  if (name === "dtype") return access.words.types.asValue(tensor);
  if (!asksRank.has(name)) return undefined;
  if (tensor.isUnknown === true) return factOfUnknown(access, context);
  if (tensor.shape === undefined && name === "size" && tensor.leading !== undefined)
    return sizeAhead(access, tensor.leading, context);
  if (tensor.shape === undefined) giveRank(tensor, rankAsked(access, context));
  const receiver = context.frames.findLast((frame) => frame.receiver !== undefined)?.receiver;
  const asked = { tensor, ...(receiver !== undefined && { receiver }) };
  const sizes = (sizesOf(tensor) ?? []).map((size, dim) => sizeOfDim({ ...asked, dim }, size));
  if (name === "shape") return { kind: "tuple", items: sizes };
  if (name === "ndim") return integer(sizes.length);
  if (name === "size" || name === "dim") return sizeMethod(name, sizes);
  if (name === "numel") return hostFunction(name, () => elementsOf(sizes));
  return transposed(access, sizes.length, context, span);
}

/**
 * Rank that an unpacking, the running layer or the rest of the function requires of a tensor
 * without one.
 */
function rankAsked({ span }: TensorAccess, { source, frames }: Context): number | undefined {
  const named = unpackedInto(source, span) ?? rankByLayer(frames);
  return named ?? askedLater(source, span, frames);
}

/** `x.size(0)` of a batch of which only leading dims are known; it does not fix the rank. */
function sizeAhead(access: TensorAccess, leading: readonly Size[], context: Context): Value {
  return hostFunction("size", (args, inner, span) => {
    const size = leading[integerOf(args[0]?.value) ?? -1];
    if (typeof size === "number") return integer(size);
    giveRank(access.tensor, rankByLayer(context.frames));
    const asked = factOf(access, context);
    return asked === undefined ? none : inner.call(asked, args, span);
  });
}

/** Size of a dim, with its origin. */
function sizeOfDim(what: AskedSize, size: number): Value {
  return { kind: "int", value: BigInt(size), origin: { kind: "host", what } };
}

/** Number of elements, with its origin. */
function elementsOf(operands: readonly Value[]): Value {
  const sizes = operands.flatMap((each) => integerOf(each) ?? []);
  const origin = { kind: "made", operator: "prod", operands } as const;
  return { kind: "int", value: BigInt(product(sizes)), origin };
}

/** Attribute of a tensor of unknown shape; its transpose has an unknown shape too. */
function factOfUnknown({ words, self, tensor, name, span }: TensorAccess, context: Context): Value {
  if (name === "T" || name === "mT") return words.function("transpose", [self], context, span);
  return unknownFact(`${tensor.name?.text ?? "tensor"}.${name}`);
}

/** Attributes that need the tensor's rank, so that one without a rank gets an assumed one. */
const asksRank: ReadonlySet<string> = new Set(["shape", "size", "dim", "ndim", "numel", "T", "mT"]);

/**
 * Sizes of a tensor with provisional values for open ones; `undefined` when its rank is unknown.
 */
export function sizesOf(tensor: TracedTensor | undefined): readonly number[] | undefined {
  return tensor?.shape?.map(provisional);
}

/** `x.mT` (swaps the last two dims) and `x.T` (reverses all dims). */
export function transposed(
  { words, self, name }: TensorAccess,
  rank: number,
  context: Context,
  span: Span,
): Value {
  const isReversed = name === "T" && rank > 2;
  const op = isReversed ? "permute" : "transpose";
  const entry = library.get(op);
  if (entry === undefined || rank < 2) return self;
  const order = Array.from({ length: rank }, (_, dim) => integer(rank - 1 - dim));
  const asked: readonly Value[] = isReversed
    ? [{ kind: "tuple", items: order }]
    : [integer(-2), integer(-1)];
  const dims = asked.map((value) => ({ value, span }));
  const style = { op, reducesInside: false };
  return words.call(entry, style, [{ value: self, span }, ...dims], context, span);
}

function sizeMethod(name: string, sizes: readonly Value[]): Value {
  return hostFunction(name, (args) => {
    if (name === "dim") return integer(sizes.length);
    const asked = integerOf(args[0]?.value);
    if (asked === undefined) return { kind: "tuple", items: sizes };
    return sizes.at(asked) ?? none;
  });
}
