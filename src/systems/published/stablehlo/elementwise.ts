import { broadcastShape } from "#core/arithmetic";
import { foldedPair, rounded } from "./folded-numbers.ts";
import type { Operation, TensorType } from "./mlir.ts";
import { isFloating, isSameShape, torchDtype } from "./types.ts";
import { broadcastText, numberText, type Value, wholeText } from "./values.ts";
import { bind, type Writer } from "./writer.ts";

/** PyTorch text of each unary operation; `x` stands for the operand. */
const unary: Readonly<Record<string, string>> = {
  ...{ exponential: "torch.exp(x)", exponential_minus_one: "torch.expm1(x)", log: "torch.log(x)" },
  ...{ log_plus_one: "torch.log1p(x)", tanh: "torch.tanh(x)", logistic: "torch.sigmoid(x)" },
  ...{ sqrt: "torch.sqrt(x)", rsqrt: "torch.rsqrt(x)", negate: "-x", abs: "torch.abs(x)" },
  ...{ sign: "torch.sign(x)", floor: "torch.floor(x)", ceil: "torch.ceil(x)" },
  ...{ cosine: "torch.cos(x)", sine: "torch.sin(x)", tan: "torch.tan(x)" },
  ...{ erf: "torch.erf(x)", erfc: "torch.erfc(x)", sinh: "torch.sinh(x)", cosh: "torch.cosh(x)" },
  ...{ is_finite: "(x - x) == 0.0" },
  ...{ asinh: "torch.asinh(x)", square: "torch.square(x)" },
};

const binary: Readonly<Record<string, string>> = {
  ...{ add: "x + y", subtract: "x - y", multiply: "x * y", divide: "x / y", power: "x ** y" },
  ...{ maximum: "torch.maximum(x, y)", minimum: "torch.minimum(x, y)" },
};

/** PyTorch text of binary operations on bools, without `&`, `|` and `^`. */
const logical: Readonly<Record<string, string>> = {
  ...{ and: "torch.where(x, y, False)", multiply: "torch.where(x, y, False)" },
  ...{ or: "torch.where(x, True, y)", add: "torch.where(x, True, y)" },
  ...{ maximum: "torch.where(x, True, y)", minimum: "torch.where(x, y, False)" },
};

const compared: Readonly<Record<string, string>> = {
  ...{ EQ: "x == y", NE: "torch.where(x == y, False, True)" },
  ...{ LT: "x < y", LE: "x <= y", GT: "x > y", GE: "x >= y" },
};

const turned: Readonly<Record<string, string>> = { LT: "GT", LE: "GE", GT: "LT", GE: "LE" };

/** The value of an elementwise operation; `undefined` for any other operation. */
export function elementwise(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
): Value | undefined {
  const [type] = operation.resultTypes;
  const [x, y, z] = operands;
  const name = operation.name.replace(/^(?:stablehlo|chlo|mhlo)\./u, "");
  if (type === undefined || x === undefined) return undefined;
  if (name === "convert") return converted(writer, operation, x, type);
  if (name === "not") return negated(writer, operation, x, type);
  const one = Object.hasOwn(unary, name) ? unary[name] : undefined;
  const number =
    x.kind === "number" ? rounded(exact[name]?.(Number(x.value)), type.dtype) : undefined;
  if (number !== undefined) return { kind: "number", value: number, type };
  if (one !== undefined && operands.length === 1) {
    return written(writer, operation, one, [x], type);
  }
  if (name === "select" && y !== undefined && z !== undefined) {
    if (x.kind === "number") return x.value === true ? y : z;
    return written(writer, operation, "torch.where(x, y, z)", [x, y, z], type);
  }
  if (name === "clamp" && y !== undefined && z !== undefined) {
    return clamped(writer, operation, [x, y, z], type);
  }
  if (y === undefined || operands.length !== 2) return undefined;
  const same = unchanged(name, x, y) ?? unchangedBy(name, y, x);
  if (same !== undefined) return { ...same, type };
  const bound = bounded(writer, operation, name, x, y, type);
  if (bound !== undefined) return bound;
  const folded = foldedPair(name, operation, x, y, type);
  if (folded !== undefined) return folded;
  if (name === "compare") return comparison(writer, operation, x, y, type);
  const form = formOf(name, type);
  return form === undefined ? undefined : written(writer, operation, form, [x, y], type);
}

function formOf(name: string, type: TensorType): string | undefined {
  if (type.dtype === "i1") return Object.hasOwn(logical, name) ? logical[name] : undefined;
  // Integer division truncates towards 0, which no form here computes.
  if (!isFloating(type.dtype) && ["divide", "power"].includes(name)) return undefined;
  if (name === "remainder") return "torch.fmod(x, y)";
  return Object.hasOwn(binary, name) ? binary[name] : undefined;
}

/**
 * Writes a form with operands as they broadcast; if their joint shape is not the result's, with
 * operands expanded to full shape.
 */
function written(
  writer: Writer,
  operation: Operation,
  form: string,
  operands: readonly Value[],
  type: TensorType,
): Value {
  const parts = operands.map(broadcastText);
  const joint = broadcastShape(parts.map(({ shape }) => shape));
  const isEnough = joint !== undefined && isSameShape(joint, type.shape);
  // These PyTorch functions take no plain number.
  const needsTensor = /maximum|minimum|^torch\.\w+\(x\)|^-x/u.test(form);
  const isTensor = operands.some(({ kind }) => kind === "tensor");
  const texts = operands.map((each, at) => {
    const isNumber = each.kind === "number" || each.kind === "counter";
    const whole = { ...each, type: isNumber && isTensor ? scalarOf(each.type) : each.type };
    const isCondition = at === 0 && form.startsWith("torch.where(x,");
    if (((needsTensor || isCondition) && isNumber) || !isTensor) return wholeText(whole);
    return isEnough
      ? (parts[at]?.text ?? "")
      : isNumber
        ? (parts[at]?.text ?? "")
        : wholeText(each);
  });
  const [a = "", b = "", c = ""] = texts;
  const text = form.replaceAll(/\b[xyz]\b/gu, (each) => ({ x: a, y: b, z: c })[each] ?? each);
  return bind(writer, operation, text, type);
}

function scalarOf({ dtype }: TensorType): TensorType {
  return { shape: [], dtype };
}

function converted(writer: Writer, operation: Operation, x: Value, type: TensorType): Value {
  if (x.kind === "number") return { ...x, value: convertedNumber(x.value, type.dtype), type };
  if (x.kind === "counter" && type.dtype !== "i1") return { ...x, type };
  if (x.type.dtype === type.dtype) return { ...x, type };
  const word = torchDtype(type.dtype);
  if (word === undefined) return bind(writer, operation, wholeText(x), type);
  if (x.kind !== "tensor") return bind(writer, operation, `${wholeText(x)}.to(${word})`, type);
  const made = bind(writer, operation, `${x.text}.to(${word})`, { ...type, shape: x.shape });
  return { ...made, type };
}

function convertedNumber(value: number | boolean, dtype: string): number | boolean {
  if (dtype === "i1") return Boolean(value);
  const number = Number(value);
  if (isFloating(dtype)) return rounded(number, dtype) ?? number;
  return Math.trunc(number);
}

/** Unary functions of a number that are folded while the file is read. */
const exact: Readonly<Record<string, (value: number) => number>> = {
  sqrt: Math.sqrt,
  rsqrt: (value) => 1 / Math.sqrt(value),
  negate: (value) => -value,
  abs: Math.abs,
};

function negated(writer: Writer, operation: Operation, x: Value, type: TensorType) {
  if (type.dtype !== "i1") return undefined;
  if (x.kind === "number") return { ...x, value: !x.value };
  return written(writer, operation, "torch.where(x, False, True)", [x], type);
}

function clamped(
  writer: Writer,
  operation: Operation,
  [least, x, most]: readonly [Value, Value, Value],
  type: TensorType,
): Value {
  if (least.kind === "number" && most.kind === "number" && x.kind === "tensor") {
    const [from, to] = [least, most].map(({ value, type: { dtype } }) => numberText(value, dtype));
    return written(writer, operation, `torch.clamp(x, ${from}, ${to})`, [x], type);
  }
  const low = { ...operation, name: "stablehlo.maximum" };
  const above = written(writer, low, "torch.maximum(x, y)", [x, least], type);
  return written(writer, operation, "torch.minimum(x, y)", [above, most], type);
}

function comparison(
  writer: Writer,
  operation: Operation,
  x: Value,
  y: Value,
  type: TensorType,
): Value | undefined {
  const direction = /\b(EQ|NE|LT|LE|GT|GE)\b/u.exec(operation.text)?.[1] ?? "";
  const isTurned = x.kind !== "tensor" && y.kind === "tensor";
  const form = compared[isTurned ? (turned[direction] ?? direction) : direction];
  if (form === undefined) return undefined;
  return written(writer, operation, form, isTurned ? [y, x] : [x, y], type);
}

/** The first operand, if the number after it is neutral (`x + 0`, `x · 1`); else `undefined`. */
function unchanged(name: string, x: Value, y: Value): Value | undefined {
  if (y.kind !== "number" || x.kind !== "tensor" || x.type.dtype === "i1") return undefined;
  const { value } = y;
  const isSame =
    (value === 0 && (name === "add" || name === "subtract")) ||
    (value === 1 && (name === "multiply" || name === "divide")) ||
    (value === Number.NEGATIVE_INFINITY && name === "maximum") ||
    (value === Number.POSITIVE_INFINITY && name === "minimum");
  return isSame ? x : undefined;
}

/**
 * The second operand, if the number before it is neutral, for commutative operations; else
 * `undefined`.
 */
function unchangedBy(name: string, x: Value, y: Value): Value | undefined {
  return name === "subtract" || name === "divide" ? undefined : unchanged(name, x, y);
}

/** Maximum or minimum of a tensor and a number, as `F.relu` or `torch.clamp`. */
function bounded(
  writer: Writer,
  operation: Operation,
  name: string,
  x: Value,
  y: Value,
  type: TensorType,
): Value | undefined {
  if ((name !== "maximum" && name !== "minimum") || type.dtype === "i1") return undefined;
  const [tensor, number] = x.kind === "number" ? [y, x] : [x, y];
  if (number.kind !== "number" || tensor.kind !== "tensor") return undefined;
  const isPositive = name === "maximum" && number.value === 0 && isFloating(type.dtype);
  const bound = numberText(number.value, type.dtype);
  const text = isPositive
    ? "F.relu(x)"
    : `torch.clamp(x, ${name === "maximum" ? "min" : "max"}=${bound})`;
  return written(writer, operation, text, [tensor], type);
}
