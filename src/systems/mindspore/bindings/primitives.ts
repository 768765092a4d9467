import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { bindArguments, hostFunction, integerOf } from "#language/document/bindings/values";
import type { TracedTensor, WrittenPrimitive } from "#language/document/trace";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { stretchedNames } from "../primitives/element-wise.ts";
import { specNames, specOf, withoutOwnRule } from "../primitives/index.ts";
import type { PrimitiveSpec } from "../primitives/spec.ts";
import { foldedCall } from "./folded.ts";
import { type NextParts, nextRows } from "./get-next.ts";
import { inputsFault, ranksFault } from "./input-kinds.ts";
import { madeConstant } from "./made-constants.ts";
import { meetBias, meetLengths } from "./met-lengths.ts";
import { normFault } from "./norm-check.ts";
import type { MindsporeParts } from "./parts.ts";
import { addAttribute, addTarget } from "./primitive-attributes.ts";
import {
  callPrimitive,
  customResult,
  linkedResult,
  type Primitive,
  unknownResult,
} from "./primitive-calls.ts";
import { asDropped, asOurs, classNames, classOf, graphName } from "./primitive-classes.ts";
import { typeFault, typeResults } from "./result-types.ts";
import { alike, readSide } from "./shard-sides.ts";
import { checkCalled, ignored, spanOf, strategyFrom, withoutLast } from "./shard-strategy.ts";
import { signatureFault } from "./signatures.ts";
import { checkTypes } from "./type-arguments.ts";

/** Raises `ValueError` if LayerNorm's weights do not have the shape that it normalises over. */
function checkNorm(
  tensors: NextParts["tensors"],
  { constructed }: Primitive,
  args: readonly Argument[],
  context: Context,
  span: Span,
): void {
  const axisOf = (key: string) => {
    const given = constructed.find(({ name }) => name === key)?.value;
    return given === undefined ? 1 : integerOf(given);
  };
  const [norm, params] = [axisOf("begin_norm_axis"), axisOf("begin_params_axis")];
  if (norm === undefined || params === undefined) return;
  const operands = args.map(({ value }) => tensors.tensorOf(value));
  const fault = normFault(operands, [norm, params]);
  if (fault !== undefined) context.raise("ValueError", fault, span);
}

/** Raises `TypeError` for arguments of kinds or data types that a primitive does not take. */
function requireKinds(
  tensors: NextParts["tensors"],
  { name, written }: Primitive,
  args: readonly Argument[],
  context: Context,
  span: Span,
): void {
  const isTensor = (value: Value) => tensors.tensorOf(value) !== undefined;
  const fault = written && inputsFault(name, args, isTensor);
  if (fault !== undefined) context.raise("TypeError", fault, span);
  const ranks = args.map(({ value }) => tensors.tensorOf(value)?.shape?.length);
  const wrongRank = written && ranksFault(name, ranks);
  if (wrongRank !== undefined) context.raise("ValueError", wrongRank, span);
  if (written && name === "Cast") checkTypes(name, args, context);
  const wrongType = typeFault(tensors, name, args);
  if (wrongType !== undefined) context.raise("TypeError", wrongType, span);
}

type PrimitiveParts = NextParts & Pick<MindsporeParts, "opaque" | "lengths">;

/** Primitives such as `ops.MatMul()` as Python objects. */
export class Primitives {
  private readonly type: HostType;
  private readonly parts: PrimitiveParts;

  constructor(parts: PrimitiveParts) {
    this.parts = parts;
    this.type = {
      name: "Primitive",
      call: (self, args, context, span) => {
        const result = this.resultOf(primitiveOf(self), args, context, span);
        typeResults(parts.tensors, primitiveOf(self), args, result);
        return result;
      },
      setAttribute: () => true,
      attribute: methodOf,
      text: (self) => primitiveOf(self).name,
    };
  }

  /**
   * The result of a primitive call: a folded constant, a library entry's result, or tensors known
   * by shape only.
   */
  private resultOf(
    primitive: Primitive,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    const { parts } = this;
    const { tensors } = parts;
    const { operators } = tensors.trace;
    const { name, entry, spec } = primitive;
    requireKinds(tensors, primitive, args, context, span);
    const own = foldedCall(name, args, context, span);
    if (own !== undefined) return own;
    const constant = madeConstant(parts, name, args, context, span);
    if (constant !== undefined) return constant;
    const isNorm = /^(Rms|Layer)Norm$/u.test(name);
    if (stretchedNames.has(name) || isNorm) {
      meetLengths(
        args.flatMap(({ value }) => tensors.tensorOf(value) ?? []),
        operators,
        isNorm,
      );
    }
    if (name === "BiasAdd")
      meetBias(
        args.map(({ value }) => tensors.tensorOf(value)),
        operators,
      );
    if (name === "LayerNorm") checkNorm(tensors, primitive, args, context, span);
    const isOfChannels = name === "BiasAdd" && rankOf(tensors.tensorOf(args[0]?.value)) > 2;
    if (entry !== undefined && !isOfChannels) {
      return callPrimitive(tensors, primitive, entry, args, context, span);
    }
    const rows =
      name === "GetNext" ? nextRows(parts, primitive.constructed, context, span) : undefined;
    if (rows !== undefined) return rows;
    const linked = isOfChannels ? specOf(name) : spec;
    const found =
      name === "Custom"
        ? spec && customResult(parts, primitive, spec, args, context, span)
        : linked && linkedResult(parts, primitive, linked, args, context, span);
    return found ?? unknownResult(parts, primitive, args, context, span);
  }

  /** `ops.MatMul`: a class whose instances are primitives. */
  class(name: string): Value | undefined {
    if (!/^[A-Z]/.test(name)) return undefined;
    return hostFunction(name, (args, context, span) =>
      this.make(name, args, context, span, { span }),
    );
  }

  /** A primitive constructed without arguments. */
  plain(name: string): HostObject {
    const made = classOf(name);
    const entry = library.get(made?.entry ?? "");
    const spec = entry === undefined ? specOf(name) : undefined;
    const called = made?.called;
    const data: Primitive = { name, entry, spec, called, constructed: [], attributes: [] };
    return { kind: "host", type: this.type, data };
  }

  /** The names of all known primitives. */
  names(): readonly string[] {
    return [...new Set([...classNames(), ...specNames()])];
  }

  /**
   * An instance of a primitive class.
   * @param written where the text constructs it; `undefined` inside a layer, where no line of the
   * text reaches it
   */
  make(
    className: string,
    args: readonly Argument[],
    context: Context,
    span: Span,
    written: WrittenPrimitive | undefined,
  ): HostObject {
    const isOwn = written !== undefined && written.member === undefined;
    const fault = isOwn ? signatureFault("Primitive", className, args) : undefined;
    if (fault !== undefined) return context.raise("TypeError", fault, span);
    const name = graphName(className);
    const known = classOf(name);
    const entry = library.get(known?.entry ?? "");
    const spec = entry === undefined ? specOf(name) : undefined;
    if (spec !== undefined) return this.linked(name, spec, args, written);
    const { constructed = [], called } = known ?? {};
    const { bound } = bindArguments(constructed, args.map(asOurs));
    const given = [...bound].map(([key, argument]) => asDropped({ ...argument, name: key }));
    const made = { name, entry, spec, called, constructed: given, attributes: [] };
    const data: Primitive = { ...made, ...(written && { written }) };
    return { kind: "host", type: this.type, data };
  }

  /** An instance of a primitive class without a library entry. */
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

/** Methods of primitives that do not affect how they are split. */
const settings: ReadonlySet<string> = new Set([
  ...["set_stage", "set_prim_instance_name", "del_prim_attr"],
  ...["place", "init_prim_io_names", "set_const_prim", "set_user_data"],
]);

/** A method of a primitive by its name. */
function methodOf(self: HostObject, name: string): Value | undefined {
  if (name === "recompute") return hostFunction(name, (...call) => recomputed(self, ...call));
  if (settings.has(name)) return hostFunction(name, () => self);
  if (name === "set_device") {
    return hostFunction(name, ([target], _context, span) => {
      if (target !== undefined) addTarget(primitiveOf(self), target.value, span);
      return self;
    });
  }
  if (name === "shard") return hostFunction(name, (args, context) => shard(self, args, context));
  if (name === "add_prim_attr") {
    return hostFunction(name, (...call) => {
      addAttribute(primitiveOf(self), ...call);
      return self;
    });
  }
  return undefined;
}

/** `primitive.recompute(mode=True)`: the results are recomputed for the backward pass. */
function recomputed(
  self: HostObject,
  args: readonly Argument[],
  _context: Context,
  span: Span,
): Value {
  const [mode] = args;
  const value = mode?.value ?? { kind: "bool", value: true };
  primitiveOf(self).attributes.push({ name: "recompute", value, span: mode?.span ?? span });
  return self;
}

function rankOf(tensor: TracedTensor | undefined): number {
  return tensor?.shape?.length ?? 0;
}

/**
 * The primitive behind an object. The cast is safe: only objects of this type reach these methods.
 */
function primitiveOf(self: HostObject): Primitive {
  return self.data as Primitive;
}

/** Whether a strategy may have tuples of tuples (`SUPPORTED_TUPLE_IN_TUPLE_STRATEGY`). */
function takesNested({ name, attributes }: Primitive): boolean {
  const isOwn = attributes.some((each) => each.name === "self_define_shard");
  return isOwn || /^(GroupedMatmul|FusedInferAttentionScore|Custom|Index)$/u.test(name);
}

/**
 * `Primitive.shard`, with its Python-side checks; the first failure is raised (mindspore.md §2.1).
 */
function shard(self: HostObject, args: readonly Argument[], context: Context): Value {
  const { bound } = bindArguments(["in_strategy", "out_strategy"], args);
  const given = (name: string) => {
    const argument = bound.get(name);
    return argument === undefined || argument.value.kind === "none" ? undefined : argument;
  };
  const [asked, out] = [given("in_strategy"), given("out_strategy")];
  const primitive = primitiveOf(self);
  const nests = takesNested(primitive);
  const read = asked && readSide("in_strategy", asked, context, nests);
  const outputs = out && readSide("out_strategy", out, context, nests);
  const inputs = read && outputs ? alike(read, outputs) : read;
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
  if (inputs.kind === "layouts" && /^(Reshape|Cast)$/u.test(primitive.name)) {
    const message = `MindSpore ignores a Layout of ${primitive.name}, which follows the operators around it`;
    const code = "mindspore/strategy-ignored";
    context.report({ code, severity: "warning", message, span: spanOf(args) });
  } else if (inputs.kind === "tuples" && withoutOwnRule.has(primitive.name)) {
    context.report(ignored(primitive.name, spanOf(args)));
    primitive.ignored = inputs.values;
  } else primitive.strategy = strategyFrom(inputs, outputs, asked, out);
  if (inputs.kind === "tuples") primitive.nested = inputs.nested;
  const { written } = primitive;
  if (written !== undefined) primitive.written = { ...written, sharded: spanOf(args) };
  return self;
}
