import type { Span } from "#core/diagnostics";
import { toFloat } from "./arithmetic.ts";
import { callSpecial } from "./call.ts";
import { plain, typeName } from "./classes.ts";
import {
  exponentialText,
  fixedText,
  generalText,
  grouped,
  plainFloatText,
} from "./format-number.ts";
import type { Runtime } from "./runtime.ts";
import { pointsOf } from "./subscript.ts";
import { integerText, textOf } from "./text.ts";
import type { Value } from "./value.ts";

/** A format specification taken apart: `[[fill]align][sign][#][0][width][,][.precision][type]`. */
export interface Specification {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly separator: string;
  readonly precision: number | undefined;
  readonly type: string;
}

/** Reads a specification; `undefined` when it is none. */
function parseSpecification(text: string): Specification | undefined {
  const pattern =
    /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [, fill, align, sign, , alternate, zero, width, separator, precision, type] = found;
  const padsZero = zero !== undefined && align === undefined;
  return {
    fill: fill ?? (zero === undefined ? " " : "0"),
    align: align ?? (padsZero ? "=" : ""),
    sign: sign ?? "-",
    alternate: alternate !== undefined,
    width: Number(width ?? 0),
    separator: separator ?? "",
    precision: precision === undefined ? undefined : Number(precision),
    type: type ?? "",
  };
}

/** `format(value, specification)`. */
export function formatValue(rt: Runtime, value: Value, text: string, span: Span): string {
  const own = callSpecial(rt, value, "__format__", [{ kind: "str", value: text }], span);
  if (own?.kind === "str") return own.value;
  if (text === "") return textOf(rt, value, span);
  const inner = plain(value);
  const specification = parseSpecification(text);
  if (inner.kind === "str") return formatText(rt, inner.value, specification, text, span);
  if (inner.kind === "int" || inner.kind === "bool" || inner.kind === "float") {
    if (specification === undefined) return invalid(rt, text, typeName(inner), span);
    return formatNumber(rt, inner, specification, text, span);
  }
  rt.known(value);
  const message = `unsupported format string passed to ${typeName(value)}.__format__`;
  return rt.fail("TypeError", message, span);
}

function invalid(rt: Runtime, text: string, type: string, span: Span): never {
  const message = `Invalid format specifier '${text}' for object of type '${type}'`;
  return rt.fail("ValueError", message, span);
}

function formatText(
  rt: Runtime,
  value: string,
  specification: Specification | undefined,
  text: string,
  span: Span,
): string {
  if (specification === undefined) return invalid(rt, text, "str", span);
  const { type, precision, align } = specification;
  if (type !== "" && type !== "s") return unknownCode(rt, type, "str", span);
  const refusal = refusedForText(specification, text);
  if (refusal !== undefined) rt.fail("ValueError", refusal, span);
  const points = pointsOf(value);
  const cut = precision === undefined ? value : Array.from(points).slice(0, precision).join("");
  const side = align === "" || align === "=" ? "<" : align;
  return pad(rt, "", cut, { ...specification, align: side }, span);
}

/** What only numbers may have; a leading zero alone pads texts at the right. */
function refusedForText(
  { sign, alternate, separator, align }: Specification,
  text: string,
): string | undefined {
  if (/^.?[<>=^]?[-+ ]/u.test(text) && (sign !== "-" || /^(?:.?[<>=^])?-/u.test(text))) {
    const isSpace = sign === " ";
    return `${isSpace ? "Space" : "Sign"} not allowed in string format specifier`;
  }
  if (alternate) return "Alternate form (#) not allowed in string format specifier";
  if (separator !== "") return `Cannot specify '${separator}' with 's'.`;
  const isExplicit = align === "=" && /^.?=/u.test(text);
  return isExplicit ? "'=' alignment not allowed in string format specifier" : undefined;
}

function unknownCode(rt: Runtime, type: string, name: string, span: Span): never {
  const message = `Unknown format code '${type}' for object of type '${name}'`;
  return rt.fail("ValueError", message, span);
}

type NumberValue = Extract<Value, { kind: "int" | "bool" | "float" }>;

function formatNumber(
  rt: Runtime,
  value: NumberValue,
  specification: Specification,
  text: string,
  span: Span,
): string {
  if (value.kind === "bool" && specification.type === "" && text === "") return String(value.value);
  const isInteger = value.kind !== "float" && /^[bcdnoxX]?$/.test(specification.type);
  if (!isInteger) return formatFloat(rt, value, specification, span);
  if (specification.precision !== undefined) {
    rt.fail("ValueError", "Precision not allowed in integer format specifier", span);
  }
  const number = BigInt(value.value);
  if (specification.type === "c") {
    return pad(rt, "", String.fromCodePoint(Number(number)), leftward(specification), span);
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

function leftward(specification: Specification): Specification {
  return { ...specification, align: specification.align === "" ? "<" : specification.align };
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
  if ((precision ?? 0) > 10_000) rt.fail("ValueError", "precision too big", span);
  const digits = floatDigits(number, specification);
  const cased = type === "E" || type === "G" || type === "F" ? digits.toUpperCase() : digits;
  const body = specification.separator === "" ? cased : grouped(cased, specification.separator, 3);
  const isNegative = number < 0 || Object.is(number, -0);
  return pad(rt, signText(isNegative, specification), body, specification, span);
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

/** Pads to the width; `=` puts the fill between sign and digits, and zeros obey separators. */
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
