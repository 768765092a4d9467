import type { Span } from "#core/diagnostics";
import type { LibraryEntry } from "#core/ir";
import { fieldOf } from "#core/records";
import { assumedOf, type TensorBindings, transposedMatmul } from "#language/document/bindings";
import { bindArguments, integerOf, itemsOf, jsonOf } from "#language/document/bindings/values";
import type {
  PrimitiveCall,
  ShardStrategy,
  TracedTensor,
  WrittenPrimitive,
} from "#language/document/trace";
import type { Argument, Context, Value } from "#language/python";
import type { PrimitiveSpec } from "../primitives/spec.ts";
import { communicationFault } from "./communication-checks.ts";
import { customCall } from "./custom-call.ts";
import { dtypesOf } from "./leaf.ts";
import { callLinked, operandCounts, operandNames, operandsOf } from "./linked-call.ts";
import type { MindsporeParts } from "./parts.ts";
import type { GivenAttribute } from "./primitive-attributes.ts";
import { asOurs, classOf } from "./primitive-classes.ts";
import { repeatsFault } from "./repeats-check.ts";

/** An instance of a primitive, `ops.MatMul()`, before it is called. */
export interface Primitive {
  readonly name: string;
  /** The operator library's entry; `undefined` if the library lacks the primitive. */
  readonly entry: LibraryEntry | undefined;
  /** The links of its dims, for a primitive that is known only by them. */
  readonly spec: PrimitiveSpec | undefined;
  readonly called: readonly string[] | undefined;
  /** Constructor arguments, by the entry's parameter names. */
  readonly constructed: readonly Argument[];
  readonly attributes: GivenAttribute[];
  /** Where the text constructs it; absent for a primitive that a function calls. */
  written?: WrittenPrimitive;
  strategy?: ShardStrategy;
  /** For each tuple of the strategy as written: whether it holds tuples. */
  nested?: readonly boolean[];
  /** Strategy tuples given to it that MindSpore ignores. */
  ignored?: PrimitiveCall["ignored"];
}

/**
 * The result of an unknown primitive: an operator that reads and gives whole tensors, with its
 * strategy kept.
 */
export function unknownResult(
  { recorder, opaque, tensors }: Pick<MindsporeParts, "recorder" | "opaque" | "tensors">,
  { name, strategy }: Primitive,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  if (name === "RepeatInterleaveTensor") {
    const fault = repeatsFault(args, (value) => tensors.tensorOf(value), recorder.trace.operators);
    if (fault !== undefined) return context.raise(fault.kind, fault.message, span);
  }
  const { operators } = recorder.trace;
  const before = operators.length;
  const result = opaque.call(`ops.${name}`, args, context, span);
  const made = operators[before];
  if (made !== undefined && strategy !== undefined) Object.assign(made, { strategy });
  const several = unpackedInto(context.source, span);
  if (result === undefined) {
    // A primitive that reads no tensor has an assumed result.
    const message = `how MindSpore makes and splits what "${name}" gives is not known here`;
    context.report({ code: "mindspore/no-rule", severity: "warning", message, span });
    return opaque.assumed(name);
  }
  if (several === 1) return result;
  const others = Array.from({ length: several - 1 }, () => opaque.assumed(name));
  return { kind: "tuple", items: [result, ...others] };
}

/** Number of names that a statement unpacks a call into: 2 for `out, _ = self.dropout(x)`. */
function unpackedInto(source: string, { from }: Span): number {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const found = /^[ \t(]*(\w+(?:[ \t]*,[ \t]*\w+)+)[ \t)]*=[ \t]*$/.exec(source.slice(start, from));
  return found?.[1]?.split(",").length ?? 1;
}

/**
 * The result of a primitive that is known by the links of its dims; `undefined` if the links are
 * not known.
 */
export function linkedResult(
  parts: Pick<MindsporeParts, "recorder" | "tensors" | "lengths">,
  primitive: Primitive,
  spec: PrimitiveSpec,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const { name, constructed, attributes, written, ignored, nested } = primitive;
  const { bound } = bindArguments(spec.called, args);
  const isTensor = (value: Value) => parts.tensors.tensorOf(value) !== undefined;
  const others = [...bound]
    .filter(([key]) => !spec.tensors.includes(key) || spec.held?.includes(key) === true)
    .map(([key, { value }]) => [key, heldIn(parts.tensors.tensorOf(value)) ?? value] as const)
    .filter(([, value]) => !isTensor(value));
  const isHeld = [...bound].some(
    ([key, { value }]) => !spec.tensors.includes(key) && isTensor(value),
  );
  const names = operandNames(spec, bound, isTensor);
  const isListed = spec.isVariadic === true && bound.get(names[0] ?? "")?.value.kind === "list";
  const isPrefix = names.every((key, at) => key === spec.tensors[at]);
  const plain = [...constructed.map((each) => [each.name ?? "", each.value] as const), ...others];
  const said: PrimitiveCall = {
    arguments: {
      ...Object.fromEntries(plain.map(([key, value]) => [key, jsonOf(value, context)])),
      ...(!isPrefix && { operands: names }),
      ...(isListed && { listed: true }),
      ...runTimeDims(parts.lengths, new Map(plain).get("shape")),
      ...(isHeld && { isHeld }),
      ...(spec.takesLists === true && {
        counts: operandCounts(spec, bound, isTensor),
        ...(nested && { nested }),
      }),
    },
    attributes: saidAttributes(attributes, context),
    ...(ignored !== undefined && { ignored }),
    ...(written !== undefined && { written }),
  };
  const fault = communicationFault(
    name,
    new Map(constructed.map(({ name: key = "", value }) => [key, value])),
    parts.recorder.trace.parallel.at(-1)?.devices,
    args.length,
  );
  if (fault !== undefined) return context.raise(fault.kind, fault.message, span);
  const operands = operandsOf(spec, bound, isTensor).map((value) =>
    itemsOf(value) === undefined ? value : listed(parts, value, context, span),
  );
  const strategy = ofOperands(primitive, operands.length);
  return callLinked(parts, { name, ...spec, operands, said, strategy }, context, span);
}

/** A list of numbers in place of a tensor, as a constant tensor of one dim. */
function listed(
  parts: Pick<MindsporeParts, "recorder" | "tensors">,
  value: Value,
  context: Context,
  span: Span,
): Value {
  const shape = [itemsOf(value)?.length ?? 0];
  const leaf = { role: "input", shape, shapeStatus: "set", ...dtypesOf("int64"), span } as const;
  return parts.tensors.object(parts.recorder.leaf(leaf, context));
}

/**
 * The strategy of a primitive for a call with that many operands. What it says of the indices of
 * Index has no effect in MindSpore 2.10: they are whole.
 */
function ofOperands({ name, strategy }: Primitive, count: number): ShardStrategy | undefined {
  if (name !== "Index" || strategy?.kind !== "tuples") return strategy;
  const indices = Array.from({ length: count - 1 }, () => [1]);
  return { ...strategy, values: [...strategy.values.slice(0, 1), ...indices] };
}

/**
 * The dims of a `shape` argument whose lengths are known only at run time; an empty object if there
 * are none.
 */
function runTimeDims(
  lengths: MindsporeParts["lengths"],
  shape: Value | undefined,
): { readonly runTimeDims?: readonly number[] } {
  const items = (shape && itemsOf(shape)) ?? [];
  const dims = items.flatMap((item, dim) => (lengths.has(item) ? [dim] : []));
  return dims.length > 0 ? { runTimeDims: dims } : {};
}

/**
 * The result of `Custom`, whose `out_shape` gives the result shapes; `undefined` if they are not
 * known.
 */
export function customResult(
  parts: Pick<MindsporeParts, "recorder" | "tensors">,
  { name, constructed, strategy, attributes, written }: Primitive,
  spec: PrimitiveSpec,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const made = customCall(parts, constructed, args, context, span);
  if (made === undefined) return undefined;
  const said: PrimitiveCall = {
    arguments: { out_shapes: made.results },
    attributes: saidAttributes(attributes, context),
    ...(written !== undefined && { written }),
  };
  const { operands } = made;
  return callLinked(parts, { name, links: spec.links, operands, said, strategy }, context, span);
}

/** The elements of a one-dim constant tensor as a tuple: `Tensor([64, 64])` passed as a shape. */
function heldIn(tensor: TracedTensor | undefined): Value | undefined {
  const { constant, shape } = tensor ?? {};
  if (constant?.kind !== "data" || shape?.length !== 1) return undefined;
  return {
    kind: "tuple",
    items: constant.values.map((value) => ({ kind: "int", value: BigInt(value) })),
  };
}

function saidAttributes(
  attributes: readonly GivenAttribute[],
  context: Context,
): PrimitiveCall["attributes"] {
  return attributes
    .filter(({ value }) => assumedOf(value) === undefined)
    .map(({ name, value, span }) => ({ name, value: jsonOf(value, context), span }));
}

/** Calls a primitive that the operator library has. */
export function callPrimitive(
  tensors: TensorBindings,
  primitive: Primitive,
  entry: LibraryEntry,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { name, constructed, called } = primitive;
  // A strategy of Reshape says nothing of a number in a tensor.
  const isNumber = name === "Reshape" && tensors.tensorOf(args[0]?.value)?.shape?.length === 0;
  const strategy = isNumber ? undefined : primitive.strategy;
  const given = called === undefined ? args : named(called, args.map(asOurs));
  const said = primitiveCall(primitive, [...constructed, ...given], entry, context);
  const stem = classOf(name)?.stem;
  const style = {
    op: name,
    reducesInside: true,
    primitive: said,
    ...(stem !== undefined && { stem }),
    ...(strategy && { strategy }),
  };
  if (entry.name === "matmul") {
    const transposed = transposedMatmul(tensors, constructed, given);
    if (transposed !== undefined) {
      return tensors.call(
        transposed.entry,
        { ...style, stem: "matmul" },
        transposed.args,
        context,
        span,
      );
    }
    return tensors.call(entry, style, given, context, span);
  }
  const isOurs = ({ name: key = "", value }: Argument) =>
    entry.parameters.includes(key) &&
    (key !== "begin_norm_axis" || normsOtherDims(tensors, given, value));
  return tensors.call(entry, style, [...given, ...constructed.filter(isOurs)], context, span);
}

/** Whether LayerNorm's `begin_norm_axis` differs from the first dim that gamma covers. */
function normsOtherDims(
  tensors: TensorBindings,
  [x, gamma]: readonly Argument[],
  begin: Value,
): boolean {
  const [rank, weights] = [x, gamma].map(
    (argument) => argument && tensors.tensorOf(argument.value)?.shape?.length,
  );
  const from = integerOf(begin);
  if (rank === undefined || weights === undefined || from === undefined) return false;
  return (from < 0 ? from + rank : from) !== rank - weights;
}

/** Arguments and attributes of a primitive, by MindSpore's names; unset ones are left out. */
function primitiveCall(
  { attributes, written }: Primitive,
  args: readonly Argument[],
  entry: LibraryEntry,
  context: Context,
): PrimitiveCall {
  const operands = new Set(entry.parameters.slice(0, entry.tensors));
  const theirs: Readonly<Record<string, string>> = {
    dim: "axis",
    keepdim: "keep_dims",
    dims: "perm",
    chunks: "output_num",
    repeats: "multiples",
    eps: "epsilon",
  };
  const plain = args.flatMap(({ name, value }) =>
    name === undefined || operands.has(name)
      ? []
      : [[fieldOf(theirs, name) ?? name, jsonOf(value, context)] as const],
  );
  return {
    arguments: Object.fromEntries(plain),
    attributes: saidAttributes(attributes, context),
    ...(written !== undefined && { written }),
  };
}

function named(names: readonly string[], args: readonly Argument[]): readonly Argument[] {
  const { bound } = bindArguments(names, args);
  return [...bound].map(([name, argument]) => ({ ...argument, name }));
}
