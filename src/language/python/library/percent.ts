import type { Span } from "#core/diagnostics";
import { toFloat } from "../values/arithmetic.ts";
import { plain, specialOf, typeName } from "../values/classes.ts";
import type { Runtime } from "../values/runtime.ts";
import { getItem } from "../values/subscript.ts";
import { reprOf, textOf } from "../values/text.ts";
import type { Value } from "../values/value.ts";
import { characterOf, formatValue } from "./format.ts";
import { truncated } from "./number-constructors.ts";

/** `text % value`. */
export function formatPercent(rt: Runtime, text: string, value: Value, span: Span): Value {
  const row = plain(value);
  const items = row.kind === "tuple" ? row.items : [value];
  let used = 0;
  const next = (): Value => {
    const item = items[used];
    used += 1;
    return item ?? rt.fail("TypeError", "not enough arguments for format string", span);
  };
  const pattern = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?([hlL])?([\s\S]|$)/g;
  const result = text.replace(pattern, (whole, ...groups: unknown[]) => {
    const [key, flags, width, precision, , type, start] = groups;
    if (type === "%") return "%";
    const given = width === "*" ? numberOf(rt, next(), span) : width;
    const places = precision === "*" ? numberOf(rt, next(), span) : precision;
    const item = typeof key === "string" ? entryOf(rt, value, key, span) : next();
    const hasPoint = /\.[\s\S]$/.test(whole) && places === undefined;
    return formatOne(
      rt,
      item,
      {
        flags: String(flags ?? ""),
        width: Number(given ?? 0),
        precision: hasPoint ? 0 : places === undefined ? undefined : Number(places),
        type: String(type ?? ""),
        at: Number(start ?? 0) + whole.length - 1,
      },
      span,
    );
  });
  if (used < items.length && !takesKeys(value)) {
    rt.fail("TypeError", "not all arguments converted during string formatting", span);
  }
  rt.allocateText(result.length, span);
  return { kind: "str", value: result };
}

function numberOf(rt: Runtime, value: Value, span: Span): string {
  if (value.kind === "int") return value.value.toString();
  return rt.fail("TypeError", "* wants int", span);
}

/**
 * Whether CPython treats a value as a mapping here: it is subscriptable, and neither a string nor a
 * tuple.
 */
function takesKeys(value: Value): boolean {
  const { kind } = plain(value);
  if (kind === "host" && value.kind === "host") return value.type.item !== undefined;
  if (kind === "dict" || kind === "list" || kind === "range") return true;
  return value.kind === "instance" && kind === "instance" && hasItems(value);
}

const hasItems = (value: Value) => specialOf(value, "__getitem__") !== undefined;

function entryOf(rt: Runtime, value: Value, key: string, span: Span): Value {
  if (!takesKeys(value)) return rt.fail("TypeError", "format requires a mapping", span);
  return getItem(rt, value, { kind: "str", value: key }, span);
}

interface Conversion {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly type: string;
  /** Offset of the conversion type in the format. */
  readonly at: number;
}

function formatOne(rt: Runtime, value: Value, conversion: Conversion, span: Span): string {
  const { flags, type, precision } = conversion;
  const isLeft = flags.includes("-") || conversion.width < 0;
  const width = Math.abs(conversion.width);
  const align = isLeft ? "<" : flags.includes("0") && /[diouxXeEfFgG]/.test(type) ? "=" : ">";
  const fill = align === "=" ? "0" : " ";
  const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const alternate = flags.includes("#") ? "#" : "";
  const head = `${fill}${align}`;
  const size = width > 0 ? String(width) : "";
  const places = precision === undefined ? "" : `.${precision}`;
  const padded = (text: string) =>
    formatValue(rt, { kind: "str", value: text }, `${head}${size}`, span);
  switch (type) {
    case "s":
      return padded(cut(textOf(rt, value, span), precision));
    case "r":
    case "a":
      return padded(cut(reprOf(rt, value, span), precision));
    case "c":
      return padded(character(rt, value, span));
    case "d":
    case "i":
    case "u":
      return formatValue(rt, integerOf(rt, value, type, span), `${head}${sign}${size}d`, span);
    case "o":
    case "x":
    case "X":
      return formatValue(
        rt,
        integerOf(rt, value, type, span),
        `${head}${sign}${alternate}${size}${type}`,
        span,
      );
    case "e":
    case "E":
    case "f":
    case "F":
    case "g":
    case "G":
      return formatValue(
        rt,
        floatOf(rt, value, span),
        `${head}${sign}${alternate}${size}${places}${type}`,
        span,
      );
    case "":
      return rt.fail("ValueError", "incomplete format", span);
    default: {
      const code = (type.codePointAt(0) ?? 0).toString(16);
      return rt.fail(
        "ValueError",
        `unsupported format character '${type}' (0x${code}) at index ${conversion.at}`,
        span,
      );
    }
  }
}

function character(rt: Runtime, value: Value, span: Span): string {
  const inner = plain(value);
  if (inner.kind === "int" || inner.kind === "bool") {
    const point = BigInt(inner.value);
    if (point >= 1n << 63n) rt.fail("OverflowError", "%c arg not in range(0x110000)", span);
    return characterOf(rt, point, span);
  }
  if (inner.kind === "str" && Array.from(inner.value).length === 1) return inner.value;
  return rt.fail("TypeError", "%c requires int or char", span);
}

function cut(text: string, length: number | undefined): string {
  return length === undefined ? text : Array.from(text).slice(0, length).join("");
}

function integerOf(rt: Runtime, value: Value, type: string, span: Span): Value {
  const inner = plain(value);
  if (inner.kind === "int" || inner.kind === "bool")
    return { kind: "int", value: BigInt(inner.value) };
  // A number of the host is not known yet; it is formatted as 0.
  if (inner.kind === "host") {
    inner.type.number?.(inner, "int", rt.context, span);
    return { kind: "int", value: 0n };
  }
  if (inner.kind === "float" && /[diu]/.test(type)) {
    return { kind: "int", value: truncated(rt, inner.value, span) };
  }
  const wanted = /[diu]/.test(type) ? "a real number" : "an integer";
  const message = `%${type} format: ${wanted} is required, not ${typeName(value)}`;
  return rt.fail("TypeError", message, span);
}

function floatOf(rt: Runtime, value: Value, span: Span): Value {
  const inner = plain(value);
  if (inner.kind === "int" || inner.kind === "bool" || inner.kind === "float") {
    return { kind: "float", value: toFloat(rt, inner, span) };
  }
  if (inner.kind === "host") {
    inner.type.number?.(inner, "float", rt.context, span);
    return { kind: "float", value: Number.NaN };
  }
  return rt.fail("TypeError", `must be real number, not ${typeName(value)}`, span);
}
