// Constructors `int` and `float`: from numbers and strings.

import type { Span } from "#core/diagnostics";
import { asPython, toFloat, withOrigin } from "../values/arithmetic.ts";
import { callSpecial } from "../values/call.ts";
import { plain, typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { bitLength } from "../values/numbers.ts";
import type { Runtime } from "../values/runtime.ts";
import { asIndex } from "../values/subscript.ts";
import { quote } from "../values/text.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first, integer } from "./bind-arguments.ts";

export function makeInteger(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value, base] = bindArguments(rt, "int", args, "x? base?", span);
  if (value === undefined) return { kind: "int", value: 0n };
  if (base !== undefined) {
    if (value.kind !== "str") {
      rt.fail("TypeError", "int() can't convert non-string with explicit base", span);
    }
    return parseInteger(rt, value.value, Number(integer(rt, base, span)), span);
  }
  const inner = plain(value);
  switch (inner.kind) {
    case "int":
      return asPython(inner);
    case "bool":
      return { kind: "int", value: BigInt(inner.value) };
    case "float":
      return withOrigin({ kind: "int", value: truncated(rt, inner.value, span) }, "int", [inner]);
    case "str":
      return parseInteger(rt, inner.value, 10, span);
  }
  const hosted = inner.kind === "host" && inner.type.number?.(inner, "int", rt.context, span);
  if (hosted) return hosted;
  const own =
    callSpecial(rt, value, "__int__", [], span) ?? callSpecial(rt, value, "__trunc__", [], span);
  const index = own?.kind === "int" ? own.value : asIndex(rt, value, span);
  if (index !== undefined) return { kind: "int", value: index };
  const message =
    "int() argument must be a string, a bytes-like object or a real number, " +
    `not '${typeName(value)}'`;
  return rt.fail("TypeError", message, args[0]?.span ?? span);
}

/** Integer part of a finite float; raises for infinities and NaN. */
export function truncated(rt: Runtime, value: number, span: Span): bigint {
  if (Number.isNaN(value)) rt.fail("ValueError", "cannot convert float NaN to integer", span);
  if (!Number.isFinite(value)) {
    rt.fail("OverflowError", "cannot convert float infinity to integer", span);
  }
  return BigInt(Math.trunc(value));
}

function parseInteger(rt: Runtime, text: string, base: number, span: Span): Value {
  const trimmed = text.trim();
  const found = /^([-+]?)(0[xXoObB]_?)?([0-9A-Za-z]+(?:_[0-9A-Za-z]+)*)$/.exec(trimmed);
  const named = { x: 16, o: 8, b: 2 }[(found?.[2] ?? "").charAt(1).toLowerCase()];
  const radix = base === 0 ? (named ?? 10) : base;
  const hasPrefix = named !== undefined && named === radix && base !== 10;
  const digits = (
    hasPrefix ? (found?.[3] ?? "") : `${found?.[2] ?? ""}${found?.[3] ?? ""}`
  ).replaceAll("_", "");
  if (base !== 0 && (base < 2 || base > 36)) {
    rt.fail("ValueError", "int() base must be >= 2 and <= 36, or 0", span);
  }
  const isValid = [...digits].every((digit) => Number.parseInt(digit, 36) < radix);
  if (found === null || !isValid || digits === "") {
    const message = `invalid literal for int() with base ${base}: ${quote(text)}`;
    rt.fail("ValueError", message, span);
  }
  if (digits.length > 4300) {
    const message = `Exceeds the limit (4300 digits) for integer string conversion: value has ${digits.length} digits`;
    rt.fail("ValueError", message, span);
  }
  rt.tick(digits.length, span);
  const magnitude = fromDigits(digits, radix);
  rt.allocateBits(bitLength(magnitude), span);
  return { kind: "int", value: found[1] === "-" ? -magnitude : magnitude };
}

function fromDigits(digits: string, radix: number): bigint {
  if (radix === 10) return BigInt(digits);
  let value = 0n;
  for (const digit of digits) value = value * BigInt(radix) + BigInt(Number.parseInt(digit, 36));
  return value;
}

export function makeFloat(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const value = first(bindArguments(rt, "float", args, "x?", span));
  if (args.length === 0) return { kind: "float", value: 0 };
  const inner = plain(value);
  if (inner.kind === "float") return asPython(inner);
  if (inner.kind === "int" || inner.kind === "bool") {
    return withOrigin({ kind: "float", value: toFloat(rt, inner, span) }, "float", [inner]);
  }
  if (inner.kind === "str") return { kind: "float", value: parseFloatText(rt, inner.value, span) };
  const hosted = inner.kind === "host" && inner.type.number?.(inner, "float", rt.context, span);
  if (hosted) return hosted;
  const own = callSpecial(rt, value, "__float__", [], span);
  if (own?.kind === "float") return own;
  const index = asIndex(rt, value, span);
  if (index !== undefined)
    return { kind: "float", value: toFloat(rt, { kind: "int", value: index }, span) };
  const message = `float() argument must be a string or a real number, not '${typeName(value)}'`;
  return rt.fail("TypeError", message, args[0]?.span ?? span);
}

function parseFloatText(rt: Runtime, text: string, span: Span): number {
  const trimmed = text.trim();
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(trimmed);
  if (special !== null) {
    const size = special[2]?.toLowerCase() === "nan" ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === "-" ? -size : size;
  }
  if (!/^[-+]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)([eE][-+]?\d+(_\d+)*)?$/.test(trimmed)) {
    rt.fail("ValueError", `could not convert string to float: ${quote(text)}`, span);
  }
  return Number(trimmed.replaceAll("_", ""));
}
