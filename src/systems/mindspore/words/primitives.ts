import type { Fix, Span } from "#core/diagnostics";
import { type LibraryEntry, library } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  assumedOf,
  type Boxes,
  bindArguments,
  hostFunction,
  jsonOf,
  type PrimitiveCall,
  type ShardStrategy,
  type TensorWords,
  transposedMatmul,
} from "#language/document/words";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import type { MindsporeLayout } from "./layouts.ts";
import { addAttribute, type GivenAttribute } from "./primitive-attributes.ts";
import { readSide, type Side } from "./shard-sides.ts";

/** A primitive class: the operator of our library, and what its constructor and its calls take. */
interface PrimitiveClass {
  readonly entry: string;
  /** Parameters of the constructor, as the entry calls them. */
  readonly constructed?: readonly string[];
  /** Parameters of a call, as the entry calls them; its own when unsaid. */
  readonly called?: readonly string[];
  /** How its results without a variable are called; after the entry when unsaid. */
  readonly stem?: string;
}

const same = (entry: string): PrimitiveClass => ({ entry });
const reducing = (entry: string): PrimitiveClass => ({
  entry,
  constructed: ["keepdim"],
  called: ["x", "dim"],
});

/** MindSpore's primitives that are operators of our library, by class name. */
const classes: Readonly<Record<string, PrimitiveClass>> = {
  MatMul: { entry: "matmul", constructed: ["transpose_a", "transpose_b"] },
  BatchMatMul: { entry: "matmul", constructed: ["transpose_a", "transpose_b"] },
  MatMulExt: same("matmul"),
  Add: same("add"),
  BiasAdd: same("add"),
  Sub: same("sub"),
  Mul: same("mul"),
  Div: same("div"),
  RealDiv: same("div"),
  Pow: same("pow"),
  Maximum: same("maximum"),
  Minimum: same("minimum"),
  Neg: same("neg"),
  Abs: same("abs"),
  Log: same("log"),
  Sqrt: same("sqrt"),
  Rsqrt: same("rsqrt"),
  Square: same("square"),
  ReLU: same("relu"),
  GeLU: same("gelu"),
  SiLU: same("silu"),
  Tanh: same("tanh"),
  Sigmoid: same("sigmoid"),
  Exp: same("exp"),
  Softmax: { entry: "softmax", constructed: ["dim"] },
  LogSoftmax: { entry: "log_softmax", constructed: ["dim"] },
  LayerNorm: {
    entry: "layer_norm_with_moments",
    constructed: ["begin_norm_axis", "begin_params_axis", "eps"],
    stem: "layer_norm",
  },
  RmsNorm: { entry: "rms_norm_with_root", constructed: ["eps"], stem: "rms_norm" },
  ReduceSum: reducing("sum"),
  ReduceMean: { ...reducing("reduce_mean"), stem: "mean" },
  ReduceMax: { ...reducing("reduce_max"), stem: "amax" },
  ReduceMin: { ...reducing("reduce_min"), stem: "amin" },
  Transpose: { entry: "permute", called: ["x", "dims"] },
  Reshape: { entry: "reshape", called: ["x", "shape"] },
  Split: { entry: "chunk", constructed: ["dim", "chunks"] },
  Tile: { entry: "repeat", called: ["x", "repeats"] },
  Concat: { entry: "concat", constructed: ["dim"] },
  Dropout: {
    entry: "dropout_with_mask",
    constructed: ["keep_prob", "Seed0", "Seed1", "p"],
    stem: "dropout",
  },
  Embedding: same("embedding"),
  Gather: { entry: "take", constructed: ["batch_dims"], called: ["x", "index", "dim"] },
  TensorScatterUpdate: {
    entry: "tensor_scatter_update",
    called: ["x", "indices", "updates"],
  },
};

/** What MindSpore's primitives run by, and which parameters their construction takes. */
export const primitiveFacts: ReadonlyMap<
  string,
  { readonly entry: string; readonly parameters: readonly string[] }
> = new Map(
  Object.entries(classes).map(([name, { entry, constructed = [] }]) => [
    name,
    { entry, parameters: constructed },
  ]),
);

interface Primitive {
  readonly name: string;
  /** Absent for a primitive of MindSpore that the library does not have. */
  readonly entry: LibraryEntry | undefined;
  readonly called: readonly string[] | undefined;
  /** What the constructor was given, by the entry's names. */
  readonly constructed: readonly Argument[];
  readonly attributes: GivenAttribute[];
  strategy?: ShardStrategy;
}

/** `ops.MatMul()` and its like as Python objects. */
export class Primitives {
  private readonly type: HostType;

  constructor(tensors: TensorWords, boxes: Boxes) {
    this.type = {
      name: "Primitive",
      call: (self, args, context, span) => {
        const { name, entry } = primitiveOf(self);
        if (entry === undefined) {
          return boxes.call(`ops.${name}`, args, context, span, "mindspore") ?? { kind: "none" };
        }
        return callPrimitive(tensors, primitiveOf(self), entry, args, context, span);
      },
      attribute: (self, name) => {
        if (name === "shard")
          return hostFunction(name, (args, context) => shard(self, args, context));
        if (name === "add_prim_attr") {
          return hostFunction(name, (...call) => {
            addAttribute(primitiveOf(self), ...call);
            return self;
          });
        }
        return undefined;
      },
      text: (self) => primitiveOf(self).name,
    };
  }

  /** `ops.MatMul`: a class whose instances are primitives. */
  class(name: string): Value | undefined {
    if (!/^[A-Z]/.test(name)) return undefined;
    return hostFunction(name, (args, context, span) => this.make(name, args, context, span));
  }

  /** The names of the primitives that the library has. */
  names(): readonly string[] {
    return Object.keys(classes);
  }

  /** An instance of a primitive class. */
  make(name: string, args: readonly Argument[], context: Context, span: Span): HostObject {
    const made = Object.hasOwn(classes, name) ? fieldOf(classes, name) : undefined;
    const entry = library.get(made?.entry ?? "");
    const { constructed = [], called } = made ?? {};
    const { bound, extra } = bindArguments(constructed, args.map(asOurs));
    const [surplus] = extra;
    if (entry !== undefined && surplus?.name !== undefined) {
      const message = `${name}.__init__() got an unexpected keyword argument '${surplus.name}'`;
      return context.raise("TypeError", message, span);
    }
    const given = [...bound].map(([key, argument]) => asDropped({ ...argument, name: key }));
    const data: Primitive = { name, entry, called, constructed: given, attributes: [] };
    return { kind: "host", type: this.type, data };
  }
}

/** MindSpore's names of parameters as the library has them. */
function asOurs(argument: Argument): Argument {
  const ours: Readonly<Record<string, string>> = {
    axis: "dim",
    keep_dims: "keepdim",
    perm: "dims",
    input_params: "x",
    input_indices: "index",
    input_x: "x",
    output_num: "chunks",
    multiples: "repeats",
    epsilon: "eps",
  };
  const name =
    argument.name === undefined ? undefined : (fieldOf(ours, argument.name) ?? argument.name);
  return name === undefined ? argument : { ...argument, name };
}

/** How likely an element is kept, as how likely it is dropped. */
function asDropped(argument: Argument): Argument {
  const { name, value } = argument;
  if (name !== "keep_prob" || (value.kind !== "float" && value.kind !== "int")) return argument;
  return { ...argument, name: "p", value: { kind: "float", value: 1 - Number(value.value) } };
}

/** Only values of the primitive type reach its methods. */
function primitiveOf(self: HostObject): Primitive {
  return self.data as Primitive;
}

function callPrimitive(
  tensors: TensorWords,
  primitive: Primitive,
  entry: LibraryEntry,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { name, strategy, constructed, called } = primitive;
  const given = called === undefined ? args : named(called, args.map(asOurs));
  const said = primitiveCall(primitive, [...constructed, ...given], entry, context);
  const stem = Object.hasOwn(classes, name) ? fieldOf(classes, name)?.stem : undefined;
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
  const isOurs = ({ name: key = "" }: Argument) => entry.parameters.includes(key);
  return tensors.call(entry, style, [...given, ...constructed.filter(isOurs)], context, span);
}

/** What the primitive was told, by MindSpore's names; what nobody defines is left out. */
function primitiveCall(
  { attributes }: Primitive,
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
    attributes: attributes
      .filter(({ value }) => assumedOf(value) === undefined)
      .map(({ name, value, span }) => ({ name, value: jsonOf(value, context), span })),
  };
}

function named(names: readonly string[], args: readonly Argument[]): readonly Argument[] {
  const { bound } = bindArguments(names, args);
  return [...bound].map(([name, argument]) => ({ ...argument, name }));
}

/** The Python-side checks of `Primitive.shard`, first failure wins (mindspore.md §2.1). */
function shard(self: HostObject, args: readonly Argument[], context: Context): Value {
  const { bound } = bindArguments(["in_strategy", "out_strategy"], args);
  const given = (name: string) => {
    const argument = bound.get(name);
    return argument === undefined || argument.value.kind === "none" ? undefined : argument;
  };
  const [asked, out] = [given("in_strategy"), given("out_strategy")];
  const inputs = asked && readSide("in_strategy", asked, context);
  const outputs = out && readSide("out_strategy", out, context);
  if (inputs === undefined || asked === undefined) {
    if (out === undefined) return self;
    const message = "out_strategy is given while in_strategy is None";
    return context.raise("ValueError", message, out.span, withoutLast(args, out, context));
  }
  if (outputs !== undefined && out !== undefined && outputs.kind !== inputs.kind) {
    const message = "in_strategy and out_strategy must be of one kind: tuples or Layouts";
    return context.raise("ValueError", message, out.span);
  }
  checkCalled([inputs, ...(outputs ? [outputs] : [])], asked, context);
  primitiveOf(self).strategy = strategyFrom(inputs, outputs, asked, out);
  return self;
}

/** The fix that takes the last argument of a call out. */
function withoutLast(
  args: readonly Argument[],
  last: Argument,
  { source }: Context,
): { readonly fixes?: readonly Fix[] } {
  const before = args.at(-2);
  if (args.at(-1)?.span.to !== last.span.to) return {};
  const from = before?.span.to ?? last.nameSpan?.from ?? last.span.from;
  if (/[()#]/u.test(source.slice(from, last.span.from))) return {};
  return {
    fixes: [{ title: "Take out_strategy out", edits: [{ from, to: last.span.to, text: "" }] }],
  };
}

function checkCalled(sides: readonly Side[], argument: Argument, context: Context): void {
  const layouts = sides.flatMap((side) => (side.kind === "layouts" ? side.layouts : []));
  if (layouts.every(({ called }) => called !== undefined)) return;
  context.raise(
    "ValueError",
    "a Layout must be called before it is a strategy: its tensor_map is None",
    argument.span,
  );
}

function strategyFrom(
  inputs: Side,
  outputs: Side | undefined,
  { tree, span }: Argument,
  asked: Argument | undefined,
): ShardStrategy {
  if (inputs.kind === "tuples") {
    const out = outputs?.kind === "tuples" ? { outputs: outputs.values } : {};
    const outTree = asked?.tree === undefined ? {} : { outTree: asked.tree };
    return { kind: "tuples", values: inputs.values, ...out, tree, ...outTree, span };
  }
  const out = outputs?.kind === "layouts" ? { outputs: outputs.layouts.flatMap(writtenOf) } : {};
  return { kind: "layouts", inputs: inputs.layouts.flatMap(writtenOf), ...out, span };
}

function writtenOf({ spec, called }: MindsporeLayout) {
  return called === undefined ? [] : [{ spec, dims: called.written.dims }];
}
