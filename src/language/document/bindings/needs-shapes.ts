import type { Argument, Value } from "#language/python";
import { integerOf, itemsOf, textOf } from "./values/values.ts";

/** The sizes of a tensor argument; `undefined` if not known. */
type ShapeOf = (value: Value | undefined) => readonly number[] | undefined;

/**
 * Whether a call of a library operator takes arguments that the library's annotation cannot
 * express.
 */
export function needsShapes(name: string, args: readonly Argument[], shapeOf: ShapeOf): boolean {
  const named = (key: string) => args.find((each) => each.name === key)?.value;
  const isSet = (key: string) => {
    const value = named(key);
    return value !== undefined && value.kind !== "none" && !(value.kind === "bool" && !value.value);
  };
  const isNone = (each: Argument) => each.name !== undefined || each.value.kind === "none";
  switch (name.replace(/^(scatter\w*)_$/u, "$1")) {
    case "where":
      return args.length === 1;
    case "upsample_nearest":
      return args.length !== 2 || named("scale_factor") === undefined;
    // Without a dim the indices count through all elements.
    case "take":
      return !isSet("dim") && !isSet("axis") && args.length < 3;
    case "equal":
      return true;
    case "argmax":
    case "argmin":
      return !isSet("dim") && !isSet("axis") && (args[1] === undefined || isNone(args[1]));
    case "norm":
      return isOtherPower(named("p") ?? args.filter(({ name }) => name === undefined)[1]?.value);
    case "roll":
      return !isSet("dims") && !isSet("dim") && (args[2] === undefined || isNone(args[2]));
    case "einsum":
      return (
        !isPlainEquation(textOf(args[0]?.value) ?? "", args.length) ||
        itemsOf(args[1]?.value) !== undefined ||
        meetsOne(textOf(args[0]?.value) ?? "", args.slice(1), shapeOf)
      );
    case "conv1d":
    case "conv2d":
    case "conv3d":
      return (
        textOf(named("padding") ?? args[4]?.value) !== undefined ||
        // An input without a batch dim: its channels and its spatial dims.
        shapeOf(args[0]?.value ?? named("input"))?.length === Number(name.at(-2)) + 1
      );
    // An empty 1-D tensor, which a list of tensors often begins with, is ignored by `cat`.
    case "cat":
      return holdsEmptyRow(itemsOf(args[0]?.value ?? named("tensors")) ?? [], shapeOf);
    case "one_hot":
      return isOpen(named("num_classes") ?? args[1]?.value);
    case "gather":
    case "scatter":
    case "scatter_add":
      return isSet("reduce") || isUneven(args, shapeOf);
    case "take_along_dim":
      return isStretched(args, shapeOf);
    case "pad":
      return (textOf(named("mode") ?? args[2]?.value) ?? "constant") !== "constant";
    case "max_pool2d":
    case "avg_pool2d":
      return (
        ["ceil_mode", "dilation", "return_indices"].some(isSet) ||
        args.length > 4 ||
        shapeOf(args[0]?.value)?.length === 3
      );
    case "conv_transpose2d":
      return args.length > 2;
    default:
      return false;
  }
}

/** Whether a norm takes another power than 2. */
function isOtherPower(power: Value | undefined): boolean {
  const isNumber = power?.kind === "int" || power?.kind === "float";
  return isNumber && Number(power.value) !== 2;
}

/** Whether the number of classes is absent or −1: then the values decide it. */
function isOpen(classes: Value | undefined): boolean {
  return classes === undefined || classes.kind === "none" || integerOf(classes) === -1;
}

/** Whether two known shapes differ. */
function isOther(one: ReturnType<ShapeOf>, other: ReturnType<ShapeOf>): boolean {
  return one !== undefined && other !== undefined && one.join() !== other.join();
}

/** Whether the index of a gather or scatter is narrower than the data, or of another shape than its source. */
function isUneven(args: readonly Argument[], shapeOf: ShapeOf): boolean {
  const given = (name: string, at: number) => argumentAt(args, name, at);
  const places = shapeOf(given("index", 2));
  const dim = integerOf(given("dim", 1)) ?? 0;
  return (
    isNarrower(shapeOf(args[0]?.value), places, dim) || isOther(places, shapeOf(given("src", 3)))
  );
}

/** An argument by its name, or by its place. */
function argumentAt(args: readonly Argument[], name: string, at: number): Value | undefined {
  return args.find((each) => each.name === name)?.value ?? args[at]?.value;
}

/** Whether the index tensor is shorter than the data in a dim other than the indexed one. */
function isNarrower(
  shape: readonly number[] | undefined,
  places: readonly number[] | undefined,
  dim: number,
): boolean {
  if (shape === undefined || places?.length !== shape.length) return false;
  const at = dim < 0 ? dim + shape.length : dim;
  return places.some((size, index) => index !== at && size < (shape[index] ?? 0));
}

/**
 * Whether the data or their indices broadcast in a dim other than the indexed one, or no dim is
 * indexed: then the indices count through all elements.
 */
function isStretched(args: readonly Argument[], shapeOf: ShapeOf): boolean {
  const dim = integerOf(argumentAt(args, "dim", 2));
  if (dim === undefined) return true;
  const shape = shapeOf(args[0]?.value);
  const places = shapeOf(argumentAt(args, "indices", 1));
  if (shape === undefined || places?.length !== shape.length) return false;
  const at = dim < 0 ? dim + shape.length : dim;
  return places.some((size, index) => index !== at && size !== (shape[index] ?? 0));
}

/** Whether a dim of an einsum equation has size 1 in one operand and a larger size in another. */
function meetsOne(equation: string, operands: readonly Argument[], shapeOf: ShapeOf): boolean {
  const lengths = new Map<string, number>();
  const [left = ""] = equation.split("->");
  return left.split(",").some((term, at) => {
    const names = term.trim().match(/\s/) ? term.trim().split(/\s+/) : [...term.trim()];
    const shape = shapeOf(operands[at]?.value) ?? [];
    return names.some((name, dim) => {
      const [size = 1, before = size] = [shape[dim], lengths.get(name)];
      lengths.set(name, Math.max(size, before));
      return size !== before && (size === 1 || before === 1);
    });
  });
}

/**
 * Whether the library reads an einsum equation: 1 to 3 operands, explicit result, no `...`, no
 * letter twice in a term.
 */
function isPlainEquation(equation: string, length: number): boolean {
  if (!equation.includes("->") || equation.includes(".") || length > 4 || length < 2) return false;
  if (/\b\w{2,}\b.*\s/.test(equation.replace(/\s*(,|->)\s*/g, "$1"))) return true;
  return equation.split(/,|->/).every((term) => !/(\w)\w*\1/.test(term.replace(/\s/g, "")));
}

function holdsEmptyRow(items: readonly Value[], shapeOf: ShapeOf): boolean {
  const shapes = items.map(shapeOf);
  const isEmpty = (shape: readonly number[] | undefined) => shape?.length === 1 && shape[0] === 0;
  return shapes.some(isEmpty) && shapes.some((shape) => shape !== undefined && shape.length > 1);
}
