import type { Span } from "#core/diagnostics";
import { toFloat } from "../values/arithmetic.ts";
import { callSpecial } from "../values/call.ts";
import { plain, typeName } from "../values/classes.ts";
import type { Runtime } from "../values/runtime.ts";
import { pointsOf } from "../values/subscript.ts";
import { integerText, textOf } from "../values/text.ts";
import type { Value } from "../values/value.ts";
import {
  exponentialText,
  fixedText,
  generalText,
  grouped,
  plainFloatText,
} from "./format-number.ts";
import { parseSpecification, type Specification } from "./format-specification.ts";

/** `format(value, specification)`. */
export function formatValue(rt: Runtime, value: Value, text: string, span: Span): string {
  const own = callSpecial(rt, value, "__format__", [{ kind: "str", value: text }], span);
  if (own?.kind === "str") return own.value;
  if (text === "") return textOf(rt, value, span);
  const inner = plain(value);
  if (inner.kind === "str") return formatText(rt, inner.value, text, span);
  if (inner.kind === "host" && inner.type.number !== undefined) {
    // What is no number, as a row of them, is refused here.
    inner.type.number(inner, "float", rt.context, span);
    return textOf(rt, value, span);
  }
  if (inner.kind === "int" || inner.kind === "bool" || inner.kind === "float") {
    return formatNumber(rt, inner, text, span);
  }
  rt.known(value);
  const message = `unsupported format string passed to ${typeName(value)}.__format__`;
  return rt.fail("TypeError", message, span);
}

function specificationOf(
  rt: Runtime,
  text: string,
  kind: string,
  assumed: { readonly type: string; readonly align: string },
  span: Span,
): Specification {
  const read = parseSpecification(text, kind, assumed);
  return typeof read === "string" ? rt.fail("ValueError", read, span) : read;
}

function formatText(rt: Runtime, value: string, text: string, span: Span): string {
  const specification = specificationOf(rt, text, "str", { type: "s", align: "<" }, span);
  const { type, precision } = specification;
  if (type !== "s") return unknownCode(rt, type, "str", span);
  const refusal = refusedForText(specification);
  if (refusal !== undefined) rt.fail("ValueError", refusal, span);
  const points = pointsOf(value);
  const cut = precision === undefined ? value : Array.from(points).slice(0, precision).join("");
  return pad(rt, "", cut, specification, span);
}

/** Error for options that only numbers may have; `undefined` when there are none. */
function refusedForText({ sign, alternate, align }: Specification): string | undefined {
  if (sign === " ") return "Space not allowed in string format specifier";
  if (sign !== "") return "Sign not allowed in string format specifier";
  if (alternate) return "Alternate form (#) not allowed in string format specifier";
  return align === "=" ? "'=' alignment not allowed in string format specifier" : undefined;
}

function unknownCode(rt: Runtime, type: string, name: string, span: Span): never {
  const message = `Unknown format code '${type}' for object of type '${name}'`;
  return rt.fail("ValueError", message, span);
}

type NumberValue = Extract<Value, { kind: "int" | "bool" | "float" }>;

function formatNumber(rt: Runtime, value: NumberValue, text: string, span: Span): string {
  const type = value.kind === "float" ? "" : "d";
  const kind = typeName(value);
  const specification = specificationOf(rt, text, kind, { type, align: ">" }, span);
  const isInteger = value.kind !== "float" && /^[bcdnoxX]$/.test(specification.type);
  if (!isInteger) return formatFloat(rt, value, specification, span);
  if (specification.precision !== undefined) {
    rt.fail("ValueError", "Precision not allowed in integer format specifier", span);
  }
  return formatInteger(rt, BigInt(value.value), specification, span);
}

function formatInteger(
  rt: Runtime,
  number: bigint,
  specification: Specification,
  span: Span,
): string {
  if (specification.type === "c") {
    const refusal =
      specification.sign !== "" ? "Sign" : specification.alternate ? "Alternate form (#)" : "";
    if (refusal !== "") {
      rt.fail("ValueError", `${refusal} not allowed with integer format specifier 'c'`, span);
    }
    return pad(rt, "", characterOf(rt, number, span), specification, span);
  }
  const [digits, prefix, size] = integerDigits(
    rt,
    number < 0n ? -number : number,
    specification,
    span,
  );
  const body =
    specification.separator === "" ? digits : grouped(digits, specification.separator, size);
  const sign = signText(number < 0n, specification);
  return pad(rt, sign + (specification.alternate ? prefix : ""), body, specification, span);
}

/** Character of a code point, for `%c` and `:c`. */
export function characterOf(rt: Runtime, point: bigint, span: Span): string {
  if (point >= 1n << 63n || point < -(1n << 63n)) {
    rt.fail("OverflowError", "Python int too large to convert to C long", span);
  }
  if (point < 0n || point > 0x10ffffn) {
    rt.fail("OverflowError", "%c arg not in range(0x110000)", span);
  }
  return String.fromCodePoint(Number(point));
}

function integerDigits(
  rt: Runtime,
  magnitude: bigint,
  { type }: Specification,
  span: Span,
): readonly [string, string, number] {
  switch (type) {
    case "b":
      return [magnitude.toString(2), "0b", 4];
    case "o":
      return [magnitude.toString(8), "0o", 4];
    case "x":
      return [magnitude.toString(16), "0x", 4];
    case "X":
      return [magnitude.toString(16).toUpperCase(), "0X", 4];
    default:
      return [integerText(rt, magnitude, span), "", 3];
  }
}

function formatFloat(
  rt: Runtime,
  value: NumberValue,
  specification: Specification,
  span: Span,
): string {
  const { type, precision } = specification;
  if (!/^[eEfFgGn%]?$/.test(type)) return unknownCode(rt, type, typeName(value), span);
  const number = toFloat(rt, value, span);
  rt.allocateText((precision ?? 0) + 20, span);
  if ((precision ?? 0) > 0x7fffffff) rt.fail("ValueError", "precision too big", span);
  const digits = withPoint(floatDigits(number, specification), specification);
  const cased = type === "E" || type === "G" || type === "F" ? digits.toUpperCase() : digits;
  const body = specification.separator === "" ? cased : grouped(cased, specification.separator, 3);
  const isNegative = number < 0 || Object.is(number, -0);
  return pad(rt, signText(isNegative, specification), body, specification, span);
}

/** The alternate form (`#`) always shows a point. */
function withPoint(digits: string, { alternate }: Specification): string {
  if (!alternate || digits.includes(".") || !/^\d/.test(digits)) return digits;
  return digits.replace(/^\d+/, (whole) => `${whole}.`);
}

function floatDigits(number: number, specification: Specification): string {
  const { type, precision, alternate } = specification;
  switch (type) {
    case "f":
    case "F":
      return fixedText(number, precision ?? 6);
    case "e":
    case "E":
      return exponentialText(number, precision ?? 6);
    case "%":
      return `${fixedText(number * 100, precision ?? 6)}%`;
    case "":
      return plainFloatText(number, precision);
    default:
      return generalText(number, precision ?? 6, alternate);
  }
}

function signText(isNegative: boolean, { sign }: Specification): string {
  if (isNegative) return "-";
  return sign === "-" ? "" : sign;
}

/**
 * Pads to the width; with `=` the fill goes between sign and digits, and padding zeros are grouped.
 */
function pad(
  rt: Runtime,
  sign: string,
  body: string,
  specification: Specification,
  span: Span,
): string {
  const { width, fill, align, separator } = specification;
  const length = pointsOf(sign).length + pointsOf(body).length;
  const missing = width - length;
  if (missing <= 0) return sign + body;
  rt.allocateText(width, span);
  if (align === "=" && fill === "0" && separator !== "") {
    return sign + groupedZeros(body, width - sign.length, separator);
  }
  switch (align) {
    case "<":
      return sign + body + fill.repeat(missing);
    case "^":
      return fill.repeat(missing >> 1) + sign + body + fill.repeat(missing - (missing >> 1));
    case "=":
      return sign + fill.repeat(missing) + body;
    default:
      return fill.repeat(missing) + sign + body;
  }
}

function groupedZeros(body: string, width: number, separator: string): string {
  const [whole = "", ...rest] = body.split(/(?=[.eE%])/);
  const room = width - rest.join("").length;
  let digits = whole.replaceAll(separator, "");
  const shown = () => grouped(digits, separator, 3);
  while (shown().length < room) digits = `0${digits}`;
  return shown() + rest.join("");
}
