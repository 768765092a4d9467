import type { Span } from "#core/diagnostics";
import { type LibraryEntry, library } from "#core/ir";
import { fieldOf } from "#core/records";
import {
  assumedOf,
  bindArguments,
  hostFunction,
  integerOf,
  jsonOf,
  type PrimitiveCall,
  type ShardStrategy,
  type TensorWords,
  type TracedTensor,
  transposedMatmul,
  type WrittenPrimitive,
} from "#language/document/words";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { stretchedNames } from "../primitives/element-wise.ts";
import { specNames, specOf } from "../primitives/index.ts";
import type { PrimitiveSpec } from "../primitives/spec.ts";
import { withoutOwnRule } from "../primitives/without-rule.ts";
import { communicationFault } from "./communication-checks.ts";
import { customCall } from "./custom-call.ts";
import { meetLengths } from "./dynamic-operands.ts";
import { foldedCall } from "./folded.ts";
import { callLinked, operandCounts, operandNames, operandsOf } from "./linked-call.ts";
import type { MindsporeParts } from "./parts.ts";
import { addAttribute, addTarget, type GivenAttribute } from "./primitive-attributes.ts";
import { asDropped, asOurs, classNames, classOf, graphName } from "./primitive-classes.ts";
import { readSide } from "./shard-sides.ts";
import { checkCalled, ignored, spanOf, strategyFrom, withoutLast } from "./shard-strategy.ts";

interface Primitive {
  readonly name: string;
  /** Absent for a primitive of MindSpore that the library does not have. */
  readonly entry: LibraryEntry | undefined;
  /** Of a primitive that is known by how its dims belong together. */
  readonly spec: PrimitiveSpec | undefined;
  readonly called: readonly string[] | undefined;
  /** What the constructor was given, by the entry's names. */
  readonly constructed: readonly Argument[];
  readonly attributes: GivenAttribute[];
  /** Absent of a primitive behind a function. */
  written?: WrittenPrimitive;
  strategy?: ShardStrategy;
}

/** `ops.MatMul()` and its like as Python objects. */
export class Primitives {
  private readonly type: HostType;

  constructor(parts: Pick<MindsporeParts, "recorder" | "tensors" | "boxes">) {
    const { tensors } = parts;
    this.type = {
      name: "Primitive",
      call: (self, args, context, span) => {
        const { name, entry, spec } = primitiveOf(self);
        const folded = foldedCall(name, args, context, span);
        if (folded !== undefined) return folded;
        if (stretchedNames.has(name)) {
          meetLengths(args.flatMap(({ value }) => tensors.tensorOf(value) ?? []));
        }
        if (entry !== undefined) {
          return callPrimitive(tensors, primitiveOf(self), entry, args, context, span);
        }
        const found =
          name === "Custom"
            ? spec && customResult(parts, primitiveOf(self), spec, args, context, span)
            : spec && linkedResult(parts, primitiveOf(self), spec, args, context, span);
        if (found !== undefined) return found;
        return unknownResult(parts, primitiveOf(self), args, context, span);
      },
      setAttribute: () => true,
      attribute: (self, name) => {
        if (settings.has(name)) return hostFunction(name, () => self);
        if (name === "set_device") {
          return hostFunction(name, ([target], _context, span) => {
            if (target !== undefined) addTarget(primitiveOf(self), target.value, span);
            return self;
          });
        }
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
    return hostFunction(name, (args, context, span) =>
      this.make(name, args, context, span, { span }),
    );
  }

  /** A primitive that was made without arguments. */
  plain(name: string): HostObject {
    const made = classOf(name);
    const entry = library.get(made?.entry ?? "");
    const spec = entry === undefined ? specOf(name) : undefined;
    const called = made?.called;
    const data: Primitive = { name, entry, spec, called, constructed: [], attributes: [] };
    return { kind: "host", type: this.type, data };
  }

  /** The names of the primitives that the library has. */
  names(): readonly string[] {
    return [...classNames(), ...specNames()];
  }

  /** An instance of a primitive class; `undefined` where no words reach it, as inside a layer. */
  make(
    className: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
    written: WrittenPrimitive | undefined,
  ): HostObject {
    const name = graphName(className);
    const known = classOf(name);
    const entry = library.get(known?.entry ?? "");
    const spec = entry === undefined ? specOf(name) : undefined;
    if (spec !== undefined) return this.linked(name, spec, args, written);
    const { constructed = [], called } = known ?? {};
    const { bound, extra } = bindArguments(constructed, args.map(asOurs));
    const [surplus] = extra;
    if (entry !== undefined && surplus?.name !== undefined) {
      const message = `${name}.__init__() got an unexpected keyword argument '${surplus.name}'`;
      return context.raise("TypeError", message, span);
    }
    const given = [...bound].map(([key, argument]) => asDropped({ ...argument, name: key }));
    const made = { name, entry, spec, called, constructed: given, attributes: [] };
    const data: Primitive = { ...made, ...(written && { written }) };
    return { kind: "host", type: this.type, data };
  }

  /** An instance of a primitive class that the library does not have. */
  private linked(
    name: string,
    spec: PrimitiveSpec,
    args: readonly Argument[],
    written: WrittenPrimitive | undefined,
  ): HostObject {
    const { bound } = bindArguments(spec.constructed, args);
    const constructed = [...bound].map(([key, argument]) => ({ ...argument, name: key }));
    const made = { name, entry: undefined, spec, called: undefined, constructed, attributes: [] };
    const data: Primitive = { ...made, ...(written && { written }) };
    return { kind: "host", type: this.type, data };
  }
}

/** A primitive that is not known here, drawn whole; its strategy is kept for what MindSpore makes of it. */
function unknownResult(
  { recorder, boxes }: Pick<MindsporeParts, "recorder" | "boxes">,
  { name, strategy }: Primitive,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { operators } = recorder.trace;
  const before = operators.length;
  const result = boxes.call(`ops.${name}`, args, context, span, "mindspore");
  const made = operators[before];
  if (made !== undefined && strategy !== undefined) Object.assign(made, { strategy });
  const several = unpackedInto(context.source, span);
  if (result === undefined || several === 1) return result ?? { kind: "none" };
  const others = Array.from({ length: several - 1 }, () => boxes.assumed(name));
  return { kind: "tuple", items: [result, ...others] };
}

/** How many names a statement unpacks a call into: `out, _ = self.dropout(x)`. */
function unpackedInto(source: string, { from }: Span): number {
  const start = source.lastIndexOf("\n", from - 1) + 1;
  const found = /^[ \t(]*(\w+(?:[ \t]*,[ \t]*\w+)+)[ \t)]*=[ \t]*$/.exec(source.slice(start, from));
  return found?.[1]?.split(",").length ?? 1;
}

/** Methods of primitives that say nothing of how they are split. */
const settings: ReadonlySet<string> = new Set([
  ...["recompute", "set_stage", "set_prim_instance_name", "del_prim_attr"],
  ...["place", "init_prim_io_names", "set_const_prim", "set_user_data"],
]);

/** A call of a primitive by the links of its dims; none where they are not known. */
function linkedResult(
  parts: Pick<MindsporeParts, "recorder" | "tensors">,
  primitive: Primitive,
  spec: PrimitiveSpec,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value | undefined {
  const { name, constructed, strategy, attributes, written } = primitive;
  const { bound } = bindArguments(spec.called, args);
  const isTensor = (value: Value) => parts.tensors.tensorOf(value) !== undefined;
  const others = [...bound]
    .filter(([key]) => !spec.tensors.includes(key) || spec.held?.includes(key) === true)
    .map(([key, { value }]) => [key, heldIn(parts.tensors.tensorOf(value)) ?? value] as const)
    .filter(([, value]) => !isTensor(value));
  const names = operandNames(spec, bound, isTensor);
  const isListed = spec.isVariadic === true && bound.get(names[0] ?? "")?.value.kind === "list";
  const isPrefix = names.every((key, at) => key === spec.tensors[at]);
  const plain = [...constructed.map((each) => [each.name ?? "", each.value] as const), ...others];
  const said: PrimitiveCall = {
    arguments: {
      ...Object.fromEntries(plain.map(([key, value]) => [key, jsonOf(value, context)])),
      ...(!isPrefix && { operands: names }),
      ...(isListed && { listed: true }),
      ...(spec.takesLists === true && { counts: operandCounts(spec, bound, isTensor) }),
    },
    attributes: saidAttributes(attributes, context),
    ...(written !== undefined && { written }),
  };
  const fault = communicationFault(
    name,
    new Map(constructed.map(({ name: key = "", value }) => [key, value])),
    parts.recorder.trace.parallel.at(-1)?.devices,
    args.length,
  );
  if (fault !== undefined) return context.raise(fault.kind, fault.message, span);
  const operands = operandsOf(spec, bound, isTensor);
  return callLinked(parts, { name, ...spec, operands, said, strategy }, context, span);
}

/** A call of `Custom`, of which its own function tells the shapes. */
function customResult(
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

/** The numbers of a tensor that is made out of numbers: `Tensor([64, 64])` where a shape is wanted. */
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

/** Whether LayerNorm normalises from another dim on than the first that gamma has. */
function normsOtherDims(
  tensors: TensorWords,
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

/** What the primitive was told, by MindSpore's names; what nobody defines is left out. */
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
  const primitive = primitiveOf(self);
  if (inputs.kind === "tuples" && withoutOwnRule.has(primitive.name))
    context.report(ignored(primitive.name, spanOf(args)));
  else primitive.strategy = strategyFrom(inputs, outputs, asked, out);
  const { written } = primitive;
  if (written !== undefined) primitive.written = { ...written, sharded: spanOf(args) };
  return self;
}
