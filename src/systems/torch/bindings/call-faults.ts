// Whether PyTorch 2.13 refuses a call: its form first, then the values and shapes of its arguments.

import { library } from "#core/ir";
import { isFloat } from "#core/ir/types";
import { fieldOf } from "#core/records";
import type { TensorAccess } from "#language/document/bindings";
import { dtypeOf } from "#language/document/bindings/types";
import { itemsOf, textOf } from "#language/document/bindings/values";
import { certainSizes } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import { boundChecks } from "./bound-faults.ts";
import {
  type Bound,
  type CallFault,
  type Check,
  every,
  type Given,
  plainName,
} from "./call-fault.ts";
import { extentChecks } from "./extent-faults.ts";
import { gradientFault } from "./gradient-faults.ts";
import { assignedFault, inPlaceFault, severalFault } from "./in-place-faults.ts";
import { changedFault, keptFault } from "./inference-tensors.ts";
import { matrixFault } from "./matrix-faults.ts";
import { devices, ofMembers } from "./member-faults.ts";
import { placeChecks } from "./place-faults.ts";
import { shapeChecks } from "./shape-faults.ts";
import { boundCall, type Called, refusedCall } from "./signatures.ts";
import { namedDims, valueChecks } from "./value-faults.ts";

type Words = TensorAccess["words"];

/**
 * Why PyTorch refuses a call; `undefined` where it takes it, or where nobody knows.
 *
 * @param args of a method without its tensor, which is `self`
 */
export function callFault(
  name: string,
  how: Called,
  args: readonly Argument[],
  words: Words,
  self?: Value,
): CallFault | undefined {
  const ofMember = self && memberFault(name, args, words, self);
  if (ofMember !== undefined) return ofMember;
  const kept = keptFault(words, name, [self, ...args.map(({ value }) => value)]);
  if (kept !== undefined) return kept;
  const written = args.find((each) => each.name === "dtype" && isWritten(each))?.value;
  // Before torch is asked for, types are texts, as the native words have them.
  const hasTypes = words.types.valueOf !== undefined;
  if (hasTypes && written?.kind === "str" && !(self && words.isArray(self)))
    return ["TypeError", `${name}(): argument 'dtype' must be torch.dtype, not str`];
  const type = how === "method" ? undefined : typeFault(name, args);
  if (type !== undefined) return type;
  const first = self ?? args[0]?.value;
  const matrix =
    how === "functional" ? undefined : matrixFault(name, certainSizes(words.tensorOf(first)));
  if (matrix !== undefined) return matrix;
  const refused = refusedCall(name, how, args, words);
  if (refused !== undefined) return ["TypeError", refused];
  const tables = [valueChecks, shapeChecks, extentChecks, placeChecks, boundChecks];
  const given = tables.map((table) => fieldOf(table, name)).filter((each) => each !== undefined);
  const isSaid = library.has(plainName(name)) || withoutDims.test(name);
  return checkedCall([name, how], isSaid ? given : [...given, namedDims], args, words, self);
}

/**
 * Functions whose results have more dims, which is what they name, and those drawn by a library
 * operator, which says a dim out of range with its fix.
 */
const withoutDims = /^(?:unsqueeze|diag_embed|max$|min$)/u;

/** Why a call is refused by the bounds of its numbers alone, which calls of the library's own texts pass too. */
export function boundFault(
  called: readonly [name: string, how: Called],
  args: readonly Argument[],
  words: Words,
): CallFault | undefined {
  const check = fieldOf(boundChecks, called[0]);
  return check && checkedCall(called, [check], args, words);
}

function checkedCall(
  [name, how]: readonly [name: string, how: Called],
  checks: readonly Check[],
  args: readonly Argument[],
  words: Words,
  self?: Value,
): CallFault | undefined {
  if (checks.length === 0) return undefined;
  const order = fieldOf(orders, name);
  const bound =
    order === undefined ? boundCall(name, how, args, words) : inOrder(order, args, self);
  if (bound === undefined) return undefined;
  const value = (parameter: string) =>
    bound.get(parameter) ?? (parameter === "input" ? self : undefined);
  return every(...checks)(callOf(words, name, value));
}

type Tensors = Pick<Words, "tensorOf" | "elementsOf">;

/** A call by the values of its parameters. */
export function callOf(words: Tensors, name: string, value: Bound["value"]): Bound {
  return {
    name,
    has: (parameter) => ![undefined, "none"].includes(value(parameter)?.kind),
    value,
    tensor: (parameter) => givenBy(words, value(parameter)),
    of: (each) => givenBy(words, each),
  };
}

/** Why a function refuses its tensors and numbers, by the names of its parameters. */
export function ofTensors(
  words: Tensors,
  name: string,
  value: Bound["value"],
): CallFault | undefined {
  const call = callOf(words, name, value);
  for (const table of [shapeChecks, placeChecks, boundChecks]) {
    const fault = fieldOf(table, name)?.(call);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether the text gives an argument by name: of the library's own texts both stand at one place. */
function isWritten({ nameSpan, span }: Argument): boolean {
  return nameSpan !== undefined && nameSpan.from !== span.from && span.from >= 0;
}

/** The fault of a call that asks for a gradient of a type that is no float. */
function typeFault(name: string, args: readonly Argument[]): CallFault | undefined {
  const of = (parameter: string) => args.find((each) => each.name === parameter)?.value;
  const type = of("dtype");
  const device = textOf(of("device"));
  if (device !== undefined && !devices.test(device))
    return ["RuntimeError", `${name}(): "${device}" is the name of no device`];
  const drawn = type && dtypeOf(type);
  if (drawn !== undefined && !isFloat(drawn) && /^rand(?:n|_like|n_like)?$/u.test(name))
    return ["NotImplementedError", `${name}() is not implemented for integers`];
  const asked = of("requires_grad");
  if (asked?.kind !== "bool" || !asked.value) return undefined;
  const said = type && dtypeOf(type);
  const isWhole =
    said === undefined ? name === "tensor" && isOfIntegers(args[0]?.value) : !isFloat(said);
  return isWhole
    ? ["RuntimeError", "Only Tensors of floating point and complex dtype can require gradients"]
    : undefined;
}

/** Whether data are whole numbers alone. */
function isOfIntegers(value: Value | undefined): boolean {
  const items = itemsOf(value);
  if (items === undefined) return value?.kind === "int" || value?.kind === "bool";
  return items.length > 0 && items.every(isOfIntegers);
}

/** Why a method, or an operator in place, refuses what it is given. */
function memberFault(
  name: string,
  args: readonly Argument[],
  words: Words,
  self: Value,
): CallFault | undefined {
  const own = givenBy(words, self);
  const other = givenBy(words, args[0]?.value);
  // A tensor whose `tolist` was read may stand for that list.
  const isList = self.kind === "host" && words.extra(self, "tolist") !== undefined;
  return (
    ofMembers(name, args, own) ??
    assignedFault(name, args, words, self) ??
    (isList ? undefined : severalFault(name, args, own)) ??
    changedFault(name, args, words, self) ??
    (self.kind === "host" ? gradientFault(name, args, words, self) : undefined) ??
    inPlaceFault(name, args, own, other)
  );
}

/** The parameters of functions without known forms. */
const orders: Readonly<Record<string, readonly string[]>> = {
  arange: ["start", "end", "step"],
  interpolate: ["input", "size", "scale_factor", "mode"],
  upsample: ["input", "size", "scale_factor", "mode"],
  tensor: ["data"],
  one_hot: ["tensor", "num_classes"],
  ...inOrderOf("max_pool1d max_pool2d max_pool3d", "input kernel_size stride padding dilation"),
  ...inOrderOf("fractional_max_pool2d fractional_max_pool3d", "input kernel_size output_size"),
  ...inOrderOf("avg_pool1d", "input kernel_size stride padding"),
  ...inOrderOf(
    "avg_pool2d avg_pool3d",
    "input kernel_size stride padding ceil_mode count_include_pad divisor_override",
  ),
  ...inOrderOf("lp_pool1d lp_pool2d lp_pool3d", "input norm_type kernel_size stride"),
  ctc_loss: ["log_probs", "targets", "input_lengths", "target_lengths"],
  huber_loss: ["input", "target", "reduction", "delta"],
  smooth_l1_loss: ["input", "target", "size_average", "reduce", "reduction", "beta"],
  normal: ["mean", "std", "size"],
  ...inOrderOf("tril_indices triu_indices", "row col offset"),
  cdist: ["x1", "x2", "p"],
  tensordot: ["a", "b", "dims"],
  polygamma: ["n", "input"],
  randint: ["low", "high", "size"],
  meshgrid: [],
};

function inOrderOf(names: string, parameters: string): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, parameters.split(" ")]));
}

function inOrder(
  order: readonly string[],
  args: readonly Argument[],
  self: Value | undefined,
): ReadonlyMap<string, Value> {
  const rest = self === undefined ? order : order.slice(1);
  let at = 0;
  return new Map(args.map(({ name, value }) => [name ?? rest[at++] ?? "", value]));
}

function givenBy(words: Tensors, value: Value | undefined): Given | undefined {
  const tensor = words.tensorOf(value);
  if (tensor === undefined) return undefined;
  const elements = () => words.elementsOf(tensor);
  return { shape: certainSizes(tensor), tensor, elements };
}
