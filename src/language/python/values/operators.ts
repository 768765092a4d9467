import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { formatPercent } from "../library/percent.ts";
import { binaryNumbers, withFacts } from "./arithmetic.ts";
import { callSpecial } from "./call.ts";
import { isSubclass, plain, typeName } from "./classes.ts";
import { combineContainers } from "./container-operators.ts";
import type { Runtime } from "./runtime.ts";
import { truth } from "./truth.ts";
import type { Value } from "./value.ts";

/** Stem of each operator's special methods: `__add__`, `__radd__`, `__iadd__`. */
export const specials: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "truediv",
  "//": "floordiv",
  "%": "mod",
  "**": "pow",
  "@": "matmul",
  "<<": "lshift",
  ">>": "rshift",
  "&": "and",
  "|": "or",
  "^": "xor",
};

/**
 * `a op b`. `inPlace` is "=" for `a op= b`, which changes the error message and which operations
 * are tried.
 */
export function binary(
  rt: Runtime,
  operator: string,
  a: Value,
  b: Value,
  span: Span,
  inPlace = "",
): Value {
  const numbers = binaryNumbers(rt, operator, a, b, span);
  if (numbers !== undefined) return numbers;
  const custom = overloaded(rt, operator, a, b, span);
  if (custom !== undefined) return custom;
  const [x, y] = [plain(a), plain(b)];
  if (operator === "%" && x.kind === "str") return formatPercent(rt, x.value, b, span);
  const made =
    (x !== a || y !== b ? binaryNumbers(rt, operator, x, y, span) : undefined) ??
    combineContainers(rt, operator, x, y, span);
  if (made !== undefined) return made;
  rt.known(a);
  rt.known(b);
  if (operator === "|" && isType(a) && isType(b)) return unionOf(a, b);
  return unsupported(rt, `${operator}${inPlace}`, a, b, span);
}

/** `int | None`: a tuple of the union's types, which `isinstance` also accepts. */
function unionOf(a: Value, b: Value): Value {
  const parts = (value: Value) => (value.kind === "tuple" ? value.items : [value]);
  return { kind: "tuple", items: [...parts(a), ...parts(b)] };
}

function isType(value: Value): boolean {
  if (value.kind === "tuple") return value.items.length > 0 && value.items.every(isType);
  if (value.kind === "host-function") return value.isInstance !== undefined;
  return value.kind === "class" || value.kind === "none";
}

function unsupported(rt: Runtime, operator: string, a: Value, b: Value, span: Span): never {
  const [left, right] = [typeName(a), typeName(b)];
  const { kind } = plain(a);
  if ((operator === "+" || operator === "+=") && isSequence(a)) {
    const message = `can only concatenate ${kind} (not "${right}") to ${kind}`;
    return rt.fail("TypeError", message, span);
  }
  if ((operator === "*" || operator === "*=") && (isSequence(a) || isSequence(b))) {
    const other = isSequence(a) ? right : left;
    return rt.fail("TypeError", `can't multiply sequence by non-int of type '${other}'`, span);
  }
  const name = operator === "**" ? "** or pow()" : operator;
  const message = `unsupported operand type(s) for ${name}: '${left}' and '${right}'`;
  return rt.fail("TypeError", message, span);
}

function isSequence(value: Value): boolean {
  const { kind } = plain(value);
  return kind === "str" || kind === "list" || kind === "tuple";
}

/**
 * Overloaded operator of the text's or the host's classes; the right operand goes first if its
 * class derives from the left's.
 */
function overloaded(
  rt: Runtime,
  operator: string,
  a: Value,
  b: Value,
  span: Span,
): Value | undefined {
  const isRightFirst =
    a.kind === "instance" &&
    b.kind === "instance" &&
    a.type !== b.type &&
    isSubclass(b.type, a.type);
  const left = () => oneSide(rt, operator, a, b, false, span);
  const right = () => oneSide(rt, operator, b, a, true, span);
  return isRightFirst ? (right() ?? left()) : (left() ?? right());
}

function oneSide(
  rt: Runtime,
  operator: string,
  self: Value,
  other: Value,
  isReflected: boolean,
  span: Span,
): Value | undefined {
  if (self.kind === "host") {
    return self.type.binary?.(self, operator, other, isReflected, rt.context, span);
  }
  if (self.kind !== "instance") return undefined;
  const name = `__${isReflected ? "r" : ""}${fieldOf(specials, operator) ?? ""}__`;
  return implemented(rt, callSpecial(rt, self, name, [other], span));
}

function implemented(rt: Runtime, value: Value | undefined): Value | undefined {
  return value === rt.builtins.get("NotImplemented") ? undefined : value;
}

/** `a op= b`: in place for lists, dicts, sets and host values that support it, else `a op b`. */
export function update(rt: Runtime, operator: string, a: Value, b: Value, span: Span): Value {
  if (a.kind === "instance") {
    const own = callSpecial(rt, a, `__i${fieldOf(specials, operator) ?? ""}__`, [b], span);
    const result = implemented(rt, own);
    if (result !== undefined) return result;
  }
  const changedHost =
    a.kind === "host" ? a.type.update?.(a, operator, b, rt.context, span) : undefined;
  if (changedHost !== undefined) return changedHost;
  const isMutable = a.kind === "list" || a.kind === "dict" || (a.kind === "set" && !a.frozen);
  if (isMutable) {
    const changed = combineContainers(rt, operator, a, b, span, a);
    if (changed !== undefined) return changed;
  }
  return binary(rt, operator, a, b, span, "=");
}

/** `-x`, `+x`, `~x`, `not x`. */
export function unary(rt: Runtime, operator: string, value: Value, span: Span): Value {
  if (operator === "not") return { kind: "bool", value: !truth(rt, value, span) };
  const inner = plain(value);
  if (inner.kind === "int" || inner.kind === "bool") {
    const number = BigInt(inner.value);
    const result = operator === "-" ? -number : operator === "~" ? ~number : number;
    return withFacts({ kind: "int", value: result }, operator, [inner]);
  }
  if (inner.kind === "float" && operator !== "~") {
    const signed = operator === "-" ? -inner.value : inner.value;
    return withFacts({ kind: "float", value: signed }, operator, [inner]);
  }
  if (value.kind === "host") {
    const result = value.type.unary?.(value, operator, rt.context, span);
    if (result !== undefined) return result;
  }
  const name = { "-": "__neg__", "+": "__pos__", "~": "__invert__" }[operator];
  const custom = name === undefined ? undefined : callSpecial(rt, value, name, [], span);
  if (custom !== undefined) return custom;
  rt.known(value);
  const message = `bad operand type for unary ${operator}: '${typeName(value)}'`;
  return rt.fail("TypeError", message, span);
}
