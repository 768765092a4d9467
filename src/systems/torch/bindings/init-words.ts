// `torch.nn.init` of PyTorch 2.13: which calls it refuses. The values that it fills in are not in a graph.

import { product } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import {
  bindArguments,
  hostFunction,
  integer,
  none,
  numberOf,
  textOf,
} from "#language/document/bindings/values";
import { certainSizes } from "#language/document/trace";
import type { Argument, Context, ModuleValue, Value } from "#language/python";
import { type CallFault, type Check, every } from "./call-fault.ts";
import { callOf } from "./call-faults.ts";
import { bounded, notNegative, ordered, whole } from "./ranges.ts";
import type { TorchParts } from "./torch-functions.ts";

type InitParts = Pick<TorchParts, "tensors" | "modules">;

/** A function that fills a tensor: its parameters, how many must be given, and the ranks it takes. */
interface Filling {
  readonly parameters: readonly string[];
  readonly needed: number;
  readonly ranks?: readonly [least: number, most: number, message: string];
}

const any = Number.POSITIVE_INFINITY;
const fans = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions";

function filling(names: string, needed = 1, ranks?: Filling["ranks"]): Filling {
  return { parameters: ["tensor", ...names.split(" ")], needed, ...(ranks && { ranks }) };
}

const scaled = filling("a mode nonlinearity generator", 1, [2, any, fans]);
const balanced = filling("gain generator", 1, [2, any, fans]);
const flat = "Only tensors with 2 dimensions are supported";

/** Each may be written without its last `_`, as it once was. */
const fillings: Readonly<Record<string, Filling>> = {
  uniform: filling("a b generator"),
  normal: filling("mean std generator"),
  trunc_normal: filling("mean std a b generator"),
  constant: filling("val", 2),
  ones: filling(""),
  zeros: filling(""),
  eye: filling("", 1, [2, 2, flat]),
  dirac: filling("groups", 1, [3, 5, "Only tensors with 3, 4, or 5 dimensions are supported"]),
  xavier_uniform: balanced,
  xavier_normal: balanced,
  kaiming_uniform: scaled,
  kaiming_normal: scaled,
  orthogonal: filling("gain generator", 1, [
    2,
    any,
    "Only tensors with 2 or more dimensions are supported",
  ]),
  sparse: filling("sparsity std generator", 2, [2, 2, flat]),
};

const spread = bounded("std", notNegative, "normal expects std >= 0.0, but found std {}");
const crossed = "uniform_ expects to return a [from, to) range, but found from > to";

/** The channels of each group are as many. */
const grouped: Check = (call) => {
  const size = call.tensor("tensor")?.shape?.[0];
  const groups = numberOf(call.value("groups"));
  if (size === undefined || groups === undefined) return undefined;
  if (groups === 0) return ["ZeroDivisionError", "integer modulo by zero"];
  return size % groups === 0 ? undefined : ["ValueError", "dim 0 must be divisible by groups"];
};

/** Checks of the numbers that a tensor is filled by. */
const bounds: Readonly<Record<string, Check>> = {
  uniform: ordered(["a", 0], ["b", 1], crossed),
  normal: spread,
  sparse: spread,
  trunc_normal: every(
    bounded("std", (std) => std !== 0, "float division by zero", "ZeroDivisionError"),
    ordered(["a", -2], ["b", 2], crossed),
  ),
  xavier_uniform: bounded("gain", notNegative, crossed),
  xavier_normal: bounded("gain", notNegative, "normal expects std >= 0.0, but found std {}"),
  dirac: every(whole("groups"), grouped),
};

/** `torch.nn.init`. */
export function initModule(parts: InitParts): ModuleValue {
  const attribute = (name: string): Value | undefined => {
    if (name === "calculate_gain") return gainWord;
    const counted = /^_calculate_(fan_in_and_fan_out|correct_fan)$/u.exec(name)?.[1];
    if (counted !== undefined) return fanWord(parts, name, counted === "correct_fan");
    const plain = name.replace(/_$/u, "");
    const known = Object.hasOwn(fillings, plain) ? fieldOf(fillings, plain) : undefined;
    if (known === undefined && !name.startsWith("_")) return undefined;
    return hostFunction(name, (args, context, span) =>
      fill(parts, name, known, args, context, span),
    );
  };
  return { kind: "module", name: "torch.nn.init", attribute };
}

/** Takes note that a tensor holds other numbers; its shape stays. */
function fill(
  parts: InitParts,
  name: string,
  known: Filling | undefined,
  args: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const { bound } = bindArguments(known?.parameters ?? ["tensor"], args);
  const tensor = bound.get("tensor")?.value ?? args[0]?.value;
  const of = (parameter: string) => bound.get(parameter)?.value;
  const fault = known && span.from >= 0 ? fillingFault(parts, name, known, of) : undefined;
  if (fault !== undefined) return context.raise(...fault, span);
  parts.tensors.noteWritten(tensor);
  return tensor ?? none;
}

function fillingFault(
  { tensors, modules }: InitParts,
  name: string,
  { parameters, needed, ranks }: Filling,
  of: (parameter: string) => Value | undefined,
): CallFault | undefined {
  const missing = parameters.slice(0, needed).find((each) => of(each) === undefined);
  if (missing !== undefined)
    return ["TypeError", `${name}() missing 1 required positional argument: '${missing}'`];
  const tensor = of("tensor");
  if (tensor?.kind === "none" || modules.isModule(tensor)) {
    const type = tensor.kind === "none" ? "NoneType" : tensor.type.name;
    return ["AttributeError", `'${type}' object is no tensor, which ${name}() fills`];
  }
  const shape = certainSizes(tensors.tensorOf(tensor));
  const [least, most, message] = ranks ?? [0, any, ""];
  const isFilled = shape !== undefined && !shape.includes(0);
  if (isFilled && (shape.length < least || shape.length > most)) return ["ValueError", message];
  const word = parameters.find((each) => each !== "mode" && of(each)?.kind === "str");
  if (word !== undefined && word !== "nonlinearity")
    return ["TypeError", `${name}(): argument '${word}' must be a number, not str`];
  const outside = fieldOf(bounds, name.replace(/_$/u, ""))?.(callOf(tensors, name, of));
  if (outside !== undefined) return outside;
  const [mode, curve] = [textOf(of("mode")), textOf(of("nonlinearity"))];
  if (mode !== undefined && !/^fan_(?:in|out)$/iu.test(mode))
    return ["ValueError", `Mode ${mode} not supported, please use one of ['fan_in', 'fan_out']`];
  return curve === undefined ? undefined : gainFault(curve);
}

/** By how much an activation shrinks what passes it, as `calculate_gain` gives it. */
const gains: Readonly<Record<string, number>> = {
  ...{ linear: 1, sigmoid: 1, tanh: 5 / 3, relu: Math.SQRT2, selu: 3 / 4, leaky_relu: any },
  ...{ conv1d: 1, conv2d: 1, conv3d: 1 },
  ...{ conv_transpose1d: 1, conv_transpose2d: 1, conv_transpose3d: 1 },
};

function gainFault(name: string): CallFault | undefined {
  return Object.hasOwn(gains, name)
    ? undefined
    : ["ValueError", `Unsupported nonlinearity ${name}`];
}

const gainWord = hostFunction("calculate_gain", (args, context, span) => {
  const { bound } = bindArguments(["nonlinearity", "param"], args);
  const name = textOf(bound.get("nonlinearity")?.value);
  if (name === undefined) return none;
  const fault = gainFault(name);
  if (fault !== undefined) return context.raise(...fault, span);
  const slope = numberOf(bound.get("param")?.value) ?? 0.01;
  const value = name === "leaky_relu" ? Math.sqrt(2 / (1 + slope ** 2)) : (gains[name] ?? 1);
  return { kind: "float", value };
});

/** How many numbers an output is made of, and how many one goes into. */
function fanWord({ tensors }: InitParts, name: string, isOne: boolean): Value {
  return hostFunction(name, ([tensor, mode], context, span) => {
    const shape = certainSizes(tensors.tensorOf(tensor?.value));
    if (shape === undefined) return tensor?.value ?? none;
    if (shape.length < 2) return context.raise("ValueError", fans, span);
    const [outputs = 0, inputs = 0, ...field] = shape;
    const [into, from] = [inputs, outputs].map((each) => integer(each * product(field)));
    if (isOne) return (textOf(mode?.value) === "fan_out" ? from : into) ?? none;
    return { kind: "tuple", items: [into ?? none, from ?? none] };
  });
}
