import type { Span } from "#core/diagnostics";
import { type LibraryEntry, library } from "#core/ir";
import type { Argument, Context, HostObject, HostType, SpanTree, Value } from "#language/python";
import type { MindsporeStrategy } from "../trace.ts";
import { type MindsporeLayout, mindsporeLayoutOf } from "./layouts.ts";
import type { TensorWords } from "./tensors.ts";
import { bindArguments, integersOf } from "./values.ts";

/** MindSpore's primitives that are operators of our library, by class name. */
const primitives: Readonly<Record<string, string>> = {
  MatMul: "matmul",
  BatchMatMul: "matmul",
  Add: "add",
  Sub: "sub",
  Mul: "mul",
  Div: "div",
  RealDiv: "div",
  Neg: "neg",
  ReLU: "relu",
  GeLU: "gelu",
  SiLU: "silu",
  Tanh: "tanh",
  Sigmoid: "sigmoid",
  Exp: "exp",
  Softmax: "softmax",
};

interface Primitive {
  readonly name: string;
  readonly entry: LibraryEntry;
  strategy?: MindsporeStrategy;
}

/** `ops.MatMul()` and its like as Python objects. */
export class Primitives {
  private readonly type: HostType;

  constructor(tensors: TensorWords) {
    this.type = {
      name: "Primitive",
      call: (self, args, context, span) => {
        const { name, entry, strategy } = primitiveOf(self);
        const style = { op: name, reducesInside: true, ...(strategy && { strategy }) };
        return tensors.call(entry, style, args, context, span);
      },
      attribute: (self, name) => {
        if (name === "shard") return method(name, (args, context) => shard(self, args, context));
        if (name === "add_prim_attr") return method(name, (...call) => addAttribute(self, ...call));
        return undefined;
      },
      text: (self) => primitiveOf(self).name,
    };
  }

  /** `ops.MatMul`: a class whose instances are primitives. */
  class(name: string): Value | undefined {
    const entry = library.get(primitives[name] ?? "");
    if (entry === undefined) return undefined;
    return method(name, () => {
      const primitive: Primitive = { name, entry };
      return { kind: "host", type: this.type, data: primitive };
    });
  }
}

/** Only values of the primitive type reach its methods. */
function primitiveOf(self: HostObject): Primitive {
  return self.data as Primitive;
}

/** One strategy argument of `shard`: tuples of integers, or called layouts. */
type Side =
  | { readonly kind: "tuples"; readonly values: readonly (readonly number[])[] }
  | { readonly kind: "layouts"; readonly layouts: readonly MindsporeLayout[] };

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
    return context.raise("ValueError", "out_strategy is given while in_strategy is None", out.span);
  }
  if (outputs !== undefined && out !== undefined && outputs.kind !== inputs.kind) {
    const message = "in_strategy and out_strategy must be of one kind: tuples or Layouts";
    return context.raise("ValueError", message, out.span);
  }
  checkCalled([inputs, ...(outputs ? [outputs] : [])], asked, context);
  primitiveOf(self).strategy = strategyFrom(inputs, outputs, asked.tree, asked.span);
  return self;
}

function readSide(name: string, argument: Argument, context: Context): Side {
  const { value, span, tree } = argument;
  if (value.kind !== "tuple") {
    return context.raise("TypeError", `${name} must be a tuple of tuples or of Layouts`, span);
  }
  const items = value.items.map((item, index) => {
    const place = tree?.items[index]?.span ?? span;
    const layout = mindsporeLayoutOf(item);
    const numbers = item.kind === "tuple" ? integersOf(item) : undefined;
    if (layout !== undefined || numbers !== undefined) return { layout, numbers, place };
    const message = `every element of ${name} must be a tuple of integers or a Layout`;
    return context.raise("TypeError", message, place);
  });
  const layouts = items.flatMap(({ layout }) => layout ?? []);
  const values = items.flatMap(({ numbers }) => (numbers === undefined ? [] : [numbers]));
  if (layouts.length === 0) return { kind: "tuples", values };
  if (values.length === 0) return { kind: "layouts", layouts };
  const startsWithLayout = items[0]?.layout !== undefined;
  const mixed = `${name} mixes tuples and Layouts`;
  return context.raise(startsWithLayout ? "TypeError" : "RuntimeError", mixed, span);
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
  tree: SpanTree | undefined,
  span: Span,
): MindsporeStrategy {
  if (inputs.kind === "tuples") {
    const out = outputs?.kind === "tuples" ? { outputs: outputs.values } : {};
    return { kind: "tuples", values: inputs.values, ...out, tree, span };
  }
  const out = outputs?.kind === "layouts" ? { outputs: outputs.layouts.flatMap(writtenOf) } : {};
  return { kind: "layouts", inputs: inputs.layouts.flatMap(writtenOf), ...out, span };
}

function writtenOf({ spec, called }: MindsporeLayout) {
  return called === undefined ? [] : [{ spec, dims: called.written.dims }];
}

function addAttribute(
  self: HostObject,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound } = bindArguments(["name", "value"], args);
  if (bound.size === 2) return self;
  context.report({
    code: "mindspore/attribute-without-value",
    severity: "warning",
    message: "add_prim_attr() needs a name and a value; this one has no effect",
    span,
    upstream: "TypeError",
  });
  return self;
}

function method(
  name: string,
  call: (args: readonly Argument[], context: Context, span: Span) => Value,
): Value {
  return { kind: "host-function", name, call };
}
