import type { Span } from "#core/diagnostics";
import { bytesOf, library } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { provisional } from "../size.ts";
import type { TracedTensor } from "../traced.ts";
import { unknownFact } from "./assumed.ts";
import { comparisonOfConstants, sayBranch, sayCountOfData } from "./branch-on-data.ts";
import { asEntryTakesThem } from "./entry-arguments.ts";
import { extremeWord } from "./extremes.ts";
import { giveRank, rankByLayer } from "./guessed-rank.ts";
import { requireKeywords, typedAs } from "./keyword-checks.ts";
import { needsShapes } from "./needs-shapes.ts";
import type { TensorCalls, UnknownMethod } from "./tensor-calls.ts";
import { casts, castTo, dtypeIn } from "./tensor-casts.ts";
import { indexTensor, isUnknownValue, setElements } from "./tensor-index.ts";
import { applied, composed, isQuestion, operated } from "./tensor-operators.ts";
import { rowsOf, sayUnknownLength } from "./tensor-rows.ts";
import { hostFunction, integer, integerOf, none, text } from "./values.ts";

/** What a program can do with a tensor: operators, indexing, and methods of the library's names. */
export function tensorType(words: TensorCalls, unknown: UnknownMethod): HostType {
  const said = new Set<number>();
  return {
    name: "Tensor",
    attribute: (self, name, context, span) =>
      attributeOf({ words, unknown, self, name, span }, context),
    binary: (self, operator, other, reflected, context, span) => {
      if (isQuestion(operator, other, words)) return undefined;
      const pair: readonly [Value, Value] = reflected ? [other, self] : [self, other];
      return operated(words, operator, pair, context, span);
    },
    update: (self, operator, other, context, span) => {
      const result = operated(words, operator, [self, other], context, span);
      if (result !== undefined) words.replace(self, result);
      return result && self;
    },
    unary: (self, operator, context, span) => {
      if (operator === "-") return applied(words, "neg", [self], context, span);
      return operator === "+" ? self : composed(words, operator, [self, self], context, span);
    },
    item: (self, key, context, span) => indexTensor(words, self, key, context, span),
    setItem: (self, key, value, context, span) =>
      setElements(words, self, [key, value], context, span),
    setAttribute: (self, name, value) => words.setExtra(self, name, value),
    number: (self, as, context, span) => {
      if (as !== "index") return words.scalar(self);
      words.refuse("a count depends on the values of a tensor", context, span);
      sayCountOfData(context, span);
      return integer(0);
    },
    iterate: (self, context, span) => rowsOf(words, self, context, span),
    unpack: (self, count, context, span) => rowsOf(words, self, context, span, count),
    truth: (self, context, span) => {
      const decided = comparisonOfConstants(words.tensorOf(self));
      if (decided !== undefined) return decided;
      words.refuse("what it does depends on the values of a tensor", context, span);
      return sayBranch(context, span, said);
    },
    length: (self, context, span) => {
      if (!isUnknownValue(words, self)) return sizesOf(words.tensorOf(self))?.[0];
      sayUnknownLength(words, self, context, span);
      return 0;
    },
    text: (self) => words.tensorOf(self)?.name?.text ?? "tensor",
  };
}

function sizesOf(tensor: TracedTensor | undefined): readonly number[] | undefined {
  return tensor?.shape?.map(provisional);
}

interface Access {
  readonly words: TensorCalls;
  readonly unknown: UnknownMethod;
  readonly self: HostObject;
  readonly name: string;
  readonly span: Span;
}

/** Methods that give the tensor itself, as far as a graph is concerned. */
const itself: ReadonlySet<string> = new Set([
  "cuda",
  "cpu",
  "tolist",
  "data",
  "set_dtype",
  "init_data",
]);

/** Methods that fill a tensor with values: its shape stays, and its values are none of a graph. */
const filling: ReadonlySet<string> = new Set([
  ...["fill_", "zero_", "normal_", "uniform_", "random_", "copy_", "trunc_normal_", "bernoulli_"],
  ...["exponential_", "set_", "fill_diagonal_", "retain_grad", "share_memory_"],
]);

function attributeOf(access: Access, context: Context): Value | undefined {
  const { words, self, name, span } = access;
  const tensor = words.tensorOf(self);
  if (name === "__deepcopy__")
    return hostFunction(name, (_, inner, at) => words.copyOf(self, inner, at));
  if (tensor === undefined || name.startsWith("__")) return undefined;
  const extra = words.extra(self, name);
  if (extra !== undefined) return extra;
  if (tensor.isUnknown === true && asksRank.has(name))
    return factOfUnknown(access, tensor, context);
  if (asksRank.has(name)) {
    if (tensor.shape === undefined)
      giveRank(tensor, unpackedInto(context.source, span) ?? rankByLayer(context.frames));
  }
  const sizes = (sizesOf(tensor) ?? []).map(integer);
  if (name === "shape") return { kind: "tuple", items: sizes };
  if (name === "ndim") return integer(sizes.length);
  if (name === "dtype") return text(tensor.dtypeText);
  if (name === "itemsize") return integer(bytesOf(tensor.dtype));
  if (name === "element_size") return hostFunction(name, () => integer(bytesOf(tensor.dtype)));
  if (partsOfComplex.has(name)) return words.function(name, [self], context, span);
  if (name === "device") return deviceOfTensors;
  if (name === "data" && !words.isInBody) return self;
  if (name === "grad" && words.hasRunBackward) return words.gradientOf(self, context, span);
  if (name === "grad" || name === "grad_fn") return none;
  const state = Object.hasOwn(plainState, name) ? plainState[name] : undefined;
  if (state !== undefined && !words.isInBody) return { kind: "bool", value: state };
  if (name === "is_leaf" || name === "requires_grad")
    if (!words.isInBody) return { kind: "bool", value: tensor.role === "parameter" };
  if (asksState.has(name)) words.refuse(`it asks for "${name}" of a tensor`, context, span);
  if (name === "size" || name === "dim") return sizeMethod(name, sizes);
  if (name === "numel") return hostFunction(name, () => integer(product(sizesOf(tensor) ?? [])));
  if (name === "T" || name === "mT") return transposed(access, sizes.length, context, span);
  if (name === "t")
    return hostFunction(name, (_, inner, at) => transposed(access, 2, inner, at) ?? self);
  return method(access);
}

/** What is asked of a tensor without a known shape; a transposed one is as unknown. */
function factOfUnknown(
  { words, self, name, span }: Access,
  { name: variable }: TracedTensor,
  context: Context,
): Value {
  if (name === "T" || name === "mT") return words.function("transpose", [self], context, span);
  return unknownFact(`${variable?.text ?? "tensor"}.${name}`);
}

/** Attributes that give a tensor of the same shape. */
const partsOfComplex: ReadonlySet<string> = new Set(["real", "imag"]);

/** What every tensor here is, and is not. */
const plainState: Readonly<Record<string, boolean>> = {
  ...{ is_cuda: false, is_sparse: false, is_quantized: false, is_meta: false, is_nested: false },
};

/** `x.device`: nothing of a graph depends on it. */
const deviceOfTensors: Value = {
  kind: "module",
  name: "device",
  attribute: (name) => (name === "type" ? text("cpu") : none),
};

/** Attributes that tell the rank of a tensor, so that one without a rank has to get one. */
const asksRank: ReadonlySet<string> = new Set(["shape", "size", "dim", "ndim", "numel", "T", "mT"]);

/** What a tensor is while a program runs, of which a graph says nothing. */
const asksState: ReadonlySet<string> = new Set(["requires_grad", "is_cuda", "is_leaf", "tolist"]);

/** How many names a statement unpacks a shape into: `b, s, d = x.shape`. */
function unpackedInto(source: string, span: Span): number | undefined {
  const start = source.lastIndexOf("\n", span.from - 1) + 1;
  const found = /^[ \t(]*([A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)*)[ \t,)]*=[ \t]*$/.exec(
    source.slice(start, span.from),
  );
  const names = found?.[1]?.split(",").length;
  return names === 1 ? undefined : names;
}

function method({ words, unknown, self, name, span }: Access): Value {
  const receiver = { value: self, span };
  if (name === "item") return hostFunction(name, () => words.scalar(self));
  if (itself.has(name)) return hostFunction(name, () => self);
  if (name === "requires_grad_")
    return hostFunction(name, ([given]) => {
      const isOff = given?.value.kind === "bool" && !given.value.value;
      words.setExtra(self, "requires_grad", { kind: "bool", value: !isOff });
      return self;
    });
  const cast = fieldOf(casts, name);
  if (cast !== undefined || name === "to" || name === "astype" || name === "type") {
    return hostFunction(name, (args, context, at) =>
      castTo(words, self, cast ?? dtypeIn(args), context, at),
    );
  }
  if (name === "type_as") {
    return hostFunction(name, ([like], context, at) =>
      castTo(words, self, words.tensorOf(like?.value)?.dtypeText, context, at),
    );
  }
  if (name === "max" || name === "min") return extremeWord(words, name, [receiver]);
  if (name === "backward" && !words.isInBody)
    return hostFunction(name, () => {
      words.hasRunBackward = true;
      return none;
    });
  if (filling.has(name) && !words.isInBody) return hostFunction(name, () => self);
  const entry = entryOfMethod(name);
  const op = entry === undefined || library.has(name) ? name : name.replace(/_$/, "");
  const isOther = (args: readonly Argument[]) =>
    !words.isInBody && needsShapes(name, args, (each) => sizesOf(words.tensorOf(each)));
  return hostFunction(name, (args, context, at) => {
    const isCast = name === "view" && dtypeIn(args.slice(0, 1)) !== undefined;
    if (entry === undefined || isCast || isOther([receiver, ...args])) {
      const other = unknown(isCast ? "view_dtype" : name, [receiver, ...args], context, at);
      if (!name.endsWith("_") || words.tensorOf(other) === undefined) return other;
      words.replace(self, other);
      return words.isParameter(self) ? other : self;
    }
    requireKeywords(op, entry, args, context);
    const given = asEntryTakesThem(op, entry, [receiver, ...args]);
    const made = words.call(entry, { op, reducesInside: false }, given, context, at);
    const result = typedAs(words, given, made);
    if (op === name) return result;
    words.replace(self, result);
    return words.isParameter(self) ? result : self;
  });
}

/** The entry that a method calls; `x.unfold(dim, size, step)` is no `unfold` of images. */
function entryOfMethod(name: string) {
  return name === "unfold" ? undefined : (library.get(name) ?? library.get(name.replace(/_$/, "")));
}

function transposed(
  { words, self }: Access,
  rank: number,
  context: Context,
  span: Span,
): Value | undefined {
  const entry = library.get("transpose");
  if (entry === undefined || rank < 2) return self;
  const dims = [integer(-2), integer(-1)].map((value) => ({ value, span }));
  const style = { op: "transpose", reducesInside: false };
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

function product(sizes: readonly number[]): number {
  return sizes.reduce((whole, size) => whole * size, 1);
}
