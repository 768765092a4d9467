import type { Span } from "#core/diagnostics";
import { callSpecial } from "./call.ts";
import { plain } from "./classes.ts";
import { chargeSize, type Runtime } from "./runtime.ts";
import { truth } from "./truth.ts";
import type { HostObject, Value } from "./value.ts";

/** `a == b`. */
export function equals(rt: Runtime, a: Value, b: Value, span: Span): boolean {
  if (a.kind === "instance" || b.kind === "instance") return instancesEqual(rt, a, b, span);
  if (a === b) return !(a.kind === "float" && Number.isNaN(a.value));
  if (a.kind !== "host" && b.kind === "host") return hostEquals(rt, b, a, span);
  rt.tick(1, span);
  chargeSize(rt, a, span);
  switch (a.kind) {
    case "none":
    case "ellipsis":
      return a.kind === b.kind;
    case "bool":
    case "int":
    case "float":
      return numbersEqual(a, b);
    case "str":
      return b.kind === "str" && a.value === b.value;
    case "tuple":
    case "list":
      return a.kind === b.kind && itemsEqual(rt, a.items, b.items, span);
    case "dict":
    case "set":
      return containersEqual(rt, a, b, span);
    case "range":
      return b.kind === "range" && rangesEqual(a, b);
    case "slice":
      return (
        b.kind === "slice" &&
        itemsEqual(rt, [a.start, a.stop, a.step], [b.start, b.stop, b.step], span)
      );
    case "dict-view":
      return b.kind === "dict-view" && viewsEqual(rt, a, b, span);
    case "method":
      return b.kind === "method" && a.self === b.self && a.callee === b.callee;
    case "unknown":
      return rt.known(a) === b;
    case "host":
      return hostEquals(rt, a, b, span);
    default:
      return false;
  }
}

/** Equality of a host object: its own function, else the truth of its `==`. */
function hostEquals(rt: Runtime, a: HostObject, b: Value, span: Span): boolean {
  if (a.type.equals !== undefined) return a.type.equals(a, b);
  const result = a.type.binary?.(a, "==", b, false, rt.context, span);
  return result !== undefined && truth(rt, result, span);
}

function numbersEqual(a: Value, b: Value): boolean {
  const x = numberOf(a);
  const y = numberOf(b);
  if (x === undefined || y === undefined || Number.isNaN(Number(x)) || Number.isNaN(Number(y))) {
    return false;
  }
  return !(x < y || x > y);
}

/** Number of a value in comparisons; `undefined` for non-numbers. */
export function numberOf(value: Value): number | bigint | undefined {
  if (value.kind === "bool") return value.value ? 1n : 0n;
  return value.kind === "int" || value.kind === "float" ? value.value : undefined;
}

function itemsEqual(rt: Runtime, a: readonly Value[], b: readonly Value[], span: Span): boolean {
  if (a.length !== b.length) return false;
  return rt.nested(span, () =>
    a.every((item, index) => {
      const other = b[index];
      return other !== undefined && (item === other || equals(rt, item, other, span));
    }),
  );
}

function containersEqual(rt: Runtime, a: Value, b: Value, span: Span): boolean {
  if (a.kind === "set" && b.kind === "set") {
    rt.tick(a.members.size, span);
    return (
      a.members.size === b.members.size && [...a.members.keys()].every((k) => b.members.has(k))
    );
  }
  if (a.kind !== "dict" || b.kind !== "dict" || a.entries.size !== b.entries.size) return false;
  return rt.nested(span, () =>
    [...a.entries].every(([key, { value }]) => {
      const other = b.entries.get(key)?.value;
      return other !== undefined && (value === other || equals(rt, value, other, span));
    }),
  );
}

type View = Extract<Value, { kind: "dict-view" }>;

/**
 * Equality of dict views: views of keys and items compare as sets, views of values only by
 * identity.
 */
function viewsEqual(rt: Runtime, a: View, b: View, span: Span): boolean {
  if (a.of !== b.of || a.of === "values") return false;
  const [x, y] = [a.dict.entries, b.dict.entries];
  if (a.of === "items") return containersEqual(rt, a.dict, b.dict, span);
  rt.tick(x.size, span);
  return x.size === y.size && [...x.keys()].every((key) => y.has(key));
}

type Range = Extract<Value, { kind: "range" }>;

function rangesEqual(a: Range, b: Range): boolean {
  const size = rangeLength(a);
  if (size !== rangeLength(b)) return false;
  return size === 0n || (a.start === b.start && (size === 1n || a.step === b.step));
}

/** Number of items of a range. */
export function rangeLength({ start, stop, step }: Range): bigint {
  const [low, high, by] = step > 0n ? [start, stop, step] : [stop, start, -step];
  return low >= high ? 0n : (high - low - 1n) / by + 1n;
}

function instancesEqual(rt: Runtime, a: Value, b: Value, span: Span): boolean {
  const forward = callSpecial(rt, a, "__eq__", [b], span);
  if (forward !== undefined && forward !== rt.builtins.get("NotImplemented")) {
    return truth(rt, forward, span);
  }
  const backward = callSpecial(rt, b, "__eq__", [a], span);
  if (backward !== undefined && backward !== rt.builtins.get("NotImplemented")) {
    return truth(rt, backward, span);
  }
  const x = plain(a);
  const y = plain(b);
  return a === b || ((x !== a || y !== b) && equals(rt, x, y, span));
}
