import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";

/** A tensor's value at compile time: the common value of all its elements, if they are equal. */
export interface ConstantValue {
  readonly fill?: number;
}

/**
 * Primitives that MindSpore 2.10 folds at compile time if all operands are constants (tested on its
 * compiler one by one; `compiled-nets.json`, "constants").
 */
const folded: ReadonlySet<string> = new Set(
  [
    "Abs Add BroadcastTo Cast Concat Div DivNoNan Divs EqScalar Equal FillV2 Greater GreaterEqual Less LessEqual",
    "LessScalar Log Max MeanExt Min Minimum Mod Mul Muls Neg NotEqual ProdExt RealDiv Reciprocal ReduceAll",
    "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Reshape Select Softmax Sqrt Squeeze Stack Sub SumExt Tile",
    "TensorToScalar",
  ].flatMap((names) => names.split(" ")),
);

/** Foldable operators that are kept if the other operand is a plain number. */
const keptByNumbers: ReadonlySet<string> = new Set(
  "Add Equal Greater GreaterEqual Less LessEqual Minimum Mod NotEqual Sub".split(" "),
);

/** Foldable operators that only move elements of their operands. */
const placing: ReadonlySet<string> = new Set(
  "BroadcastTo Cast Concat FillV2 Reshape Stack Tile".split(" "),
);

/** Arithmetic whose results on numbers decide whether a later `x · 1` or `x + 0` is removed. */
const arithmetic: ReadonlyMap<string, (left: number, right: number) => number> = new Map([
  ["Add", (left, right) => left + right],
  ["Sub", (left, right) => left - right],
  ["Mul", (left, right) => left * right],
  ...["Div", "Divs", "RealDiv"].map(
    (name) => [name, (left: number, right: number) => left / right] as const,
  ),
]);

/** Foldable operators of two constants that are folded even if one is broadcast. */
const broadcasting: ReadonlySet<string> = new Set(["Div"]);

/** Primitives that make a sequence of numbers, folded if all operands are constants. */
const counting: ReadonlySet<string> = new Set(["Arange", "Range"]);

/** The value of a plain number operand. */
export function numberIn(text: string): ConstantValue {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? {} : { fill: value };
}

/** The value of a tensor that the text fills with one number. */
export function held({ constant }: TracedTensor): ConstantValue {
  return constant?.kind === "fill" ? { fill: constant.value } : {};
}

/** The result of an operator folded at compile time; `undefined` if the operator runs. */
export function foldedValue(
  op: string,
  { inputs, primitive }: TracedOperator,
  found: readonly (ConstantValue | undefined)[],
): ConstantValue | undefined {
  if (op === "OnesLike") return { fill: 1 };
  if (op === "FillV2" && hasOpenShape(primitive)) return undefined;
  if (isCounted({ op, inputs, primitive }))
    return op === "FillV2" ? (found[0] ?? {}) : computed(op, found);
  if (counting.has(op) && found.every((each) => each !== undefined)) return {};
  if (!folded.has(op) || found.length === 0 || found.some((each) => each === undefined))
    return undefined;
  if (!inputs.some(({ kind }) => kind === "tensor")) return undefined;
  if (keptByNumbers.has(op) && inputs.some(({ kind }) => kind !== "tensor")) return undefined;
  if (!placing.has(op) && !broadcasting.has(op) && broadcasts(inputs)) return undefined;
  const fills = new Set(found.map((each) => each?.fill));
  const [fill] = fills;
  if (!placing.has(op)) return computed(op, found);
  return fills.size === 1 && fill !== undefined ? { fill } : {};
}

/** The result of arithmetic on two numbers, or on tensors filled with one number each. */
function computed(op: string, found: readonly (ConstantValue | undefined)[]): ConstantValue {
  const [left, right] = found.map((each) => each?.fill);
  const of = arithmetic.get(op);
  if (of === undefined || left === undefined || right === undefined) return {};
  return { fill: of(left, right) };
}

/** Whether tensor operands differ in shape. */
function broadcasts(inputs: TracedOperator["inputs"]): boolean {
  const shapes = inputs.flatMap((input) => (input.kind === "tensor" ? [shapeOf(input)] : []));
  return new Set(shapes.map((shape) => shape.join())).size > 1;
}

/**
 * The operand that a product with ones, or a sum with zeros, equals; `undefined` for anything else.
 * MindSpore 2.10 keeps operators of other types than float32, float64 and int32, products with a
 * number except float32 · 1.0 and int32 · 1, a product by the attribute 1.0, and operators with the
 * attribute `keep_alive` (tested).
 */
export function unchanged(
  op: string,
  traced: TracedOperator,
  found: readonly (ConstantValue | undefined)[],
): TracedTensor | undefined {
  const { inputs, outputs, primitive } = traced;
  const neutral = op === "Mul" ? 1 : op === "Add" ? 0 : undefined;
  const [output] = outputs;
  if (op === "Muls") return unchangedByOne(inputs, primitive?.arguments.other);
  if (neutral === undefined || output === undefined || inputs.length !== 2) return undefined;
  if (isMarked(traced, "keep_alive")) return undefined;
  const at = found.findLastIndex((each) => each?.fill === neutral);
  const other = inputs[1 - at];
  const constant = inputs[at];
  if (constant === undefined || other?.kind !== "tensor") return undefined;
  if (!isCompared(other.dtype)) return undefined;
  if (constant.kind === "tensor") {
    if (constant.dtype !== other.dtype) return undefined;
  } else if (op === "Mul" && other.dtype !== (isWhole(constant) ? "i32" : "f32")) return undefined;
  return shapeOf(other).join() === shapeOf(output).join() ? other : undefined;
}

/** Whether MindSpore compares constants of this type with 0 and 1. */
function isCompared(dtype: TracedTensor["dtype"]): boolean {
  return dtype === "f32" || dtype === "f64" || dtype === "i32";
}

/** Whether the last value that the text gives to an attribute of a primitive is `True`. */
export function isMarked({ primitive }: TracedOperator, mark: string): boolean {
  return primitive?.attributes.findLast(({ name }) => name === mark)?.value === true;
}

function isWhole(input: TracedOperator["inputs"][number]): boolean {
  return input.kind !== "tensor" && /^\s*\d+\s*$/u.test(input.text);
}

/**
 * The tensor operand of a `Muls` by the whole number 1, given as an operand or attribute; else
 * `undefined`.
 */
function unchangedByOne(
  inputs: TracedOperator["inputs"],
  other: unknown,
): TracedTensor | undefined {
  const isOne =
    other === 1 || inputs.some((each) => each.kind !== "tensor" && each.text.trim() === "1");
  const tensor = inputs.find((each) => each.kind === "tensor");
  return isOne && tensor?.kind === "tensor" ? tensor : undefined;
}

/**
 * Whether MindSpore computes a result from numbers only, at compile time and whatever its strategy
 * says.
 */
export function isCounted({
  op,
  inputs,
  primitive,
}: Pick<TracedOperator, "op" | "inputs" | "primitive">): boolean {
  if (op === "FillV2" && hasOpenShape(primitive)) return false;
  if (counting.has(op)) return inputs.every(({ kind }) => kind !== "tensor");
  return folded.has(op) && inputs.some(({ kind }) => kind === "tensor") && inputs.every(isNumber);
}

/**
 * Whether the shape argument of a primitive is a tensor, or has a length that is known only at run
 * time.
 */
function hasOpenShape(primitive: TracedOperator["primitive"]): boolean {
  const { isHeld, runTimeDims } = primitive?.arguments ?? {};
  return isHeld === true || runTimeDims !== undefined;
}

/**
 * Whether an operand is a number, or a 0-D tensor that the text fills with a number and passes to
 * no net.
 */
export function isNumber(input: TracedOperator["inputs"][number]): boolean {
  if (input.kind !== "tensor") return true;
  const { constant, role, shape, fed } = input;
  return constant?.kind === "fill" && role === "input" && shape?.length === 0 && fed === undefined;
}

/**
 * Whether a tensor is held by a cell or made of numbers by the text. A row of numbers is excluded:
 * it ends in a Cast, which is kept.
 */
export function isHeld({ producer, role, fed, constant }: TracedTensor): boolean {
  return (
    producer === undefined && role === "input" && fed === undefined && constant?.kind !== "row"
  );
}
