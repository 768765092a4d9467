import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { callSpecial } from "./call.ts";
import { isSubclass, typeName } from "./classes.ts";
import { bitLength, floatText } from "./numbers.ts";
import type { Runtime } from "./runtime.ts";
import { orderedMembers } from "./set-order.ts";
import type { InstanceValue, Value } from "./value.ts";

/** `str(value)`. */
export function textOf(rt: Runtime, value: Value, span: Span): string {
  if (value.kind === "str") return value.value;
  if (value.kind === "host") return value.type.text?.(value) ?? reprOf(rt, value, span);
  if (value.kind !== "instance" && value.kind !== "class") return reprOf(rt, value, span);
  const own = callSpecial(rt, value, "__str__", [], span);
  if (own !== undefined) return expectText(rt, own, "__str__", span);
  if (value.kind === "class") return reprOf(rt, value, span);
  if (isSubclass(value.type, rt.type("BaseException")) && !hasRepr(value)) {
    return exceptionText(rt, value, span);
  }
  if (value.native?.kind === "str" && !hasRepr(value)) return value.native.value;
  return reprOf(rt, value, span);
}

function hasRepr(value: InstanceValue): boolean {
  return value.type.mro.some((type) => type.attributes.has("__repr__"));
}

function expectText(rt: Runtime, value: Value, method: string, span: Span): string {
  if (value.kind === "str") return value.value;
  const message = `${method} returned non-string (type ${typeName(value)})`;
  return rt.fail("TypeError", message, span);
}

/** `str` of an exception: its single argument, or all arguments as a tuple. */
export function exceptionText(rt: Runtime, exception: InstanceValue, span: Span): string {
  const args = exception.attributes.get("args");
  const items = args?.kind === "tuple" ? args.items : [];
  const [only] = items;
  if (only === undefined) return "";
  if (items.length > 1) return reprOf(rt, { kind: "tuple", items }, span);
  const isKey = isSubclass(exception.type, rt.type("KeyError"));
  return isKey ? reprOf(rt, only, span) : textOf(rt, only, span);
}

/** `repr(value)`. */
export function reprOf(rt: Runtime, value: Value, span: Span): string {
  return represent(rt, value, span, []);
}

function represent(rt: Runtime, value: Value, span: Span, open: readonly Value[]): string {
  rt.tick(1, span);
  switch (value.kind) {
    case "none":
      return "None";
    case "ellipsis":
      return "Ellipsis";
    case "bool":
      return value.value ? "True" : "False";
    case "int":
      return integerText(rt, value.value, span);
    case "float":
      return floatText(value.value);
    case "str":
      rt.allocateText(value.value.length, span);
      return quote(value.value);
    case "tuple":
    case "list":
    case "dict":
    case "set":
    case "dict-view":
      return representContainer(rt, value, span, open);
    case "range":
      return `range(${value.start}, ${value.stop}${value.step === 1n ? "" : `, ${value.step}`})`;
    case "slice": {
      const parts = [value.start, value.stop, value.step];
      return `slice(${parts.map((part) => represent(rt, part, span, open)).join(", ")})`;
    }
    case "instance":
      return representInstance(rt, value, span, open);
    case "host":
      return value.type.text?.(value) ?? `<${value.type.name} object>`;
    case "unknown":
      rt.known(value);
      return "";
    case "class": {
      const own = callSpecial(rt, value, "__repr__", [], span);
      return own === undefined ? representCode(rt, value) : expectText(rt, own, "__repr__", span);
    }
    default:
      return representCode(rt, value);
  }
}

function representCode(rt: Runtime, value: Value): string {
  switch (value.kind) {
    case "class": {
      const isBuiltin = rt.types.get(value.name) === value;
      const home = isBuiltin ? "" : `${rt.homes.get(value) ?? "__main__"}.`;
      return `<class '${home}${value.qualifiedName ?? value.name}'>`;
    }
    case "function":
      return `<function ${value.qualifiedName}>`;
    case "host-function":
      if (value === rt.builtins.get("NotImplemented")) return "NotImplemented";
      return `<built-in function ${value.name}>`;
    case "module":
      return `<module '${value.name}'>`;
    case "method": {
      const name = value.callee.kind === "function" ? value.callee.qualifiedName : "method";
      return `<bound method ${name}>`;
    }
    default:
      return `<${typeName(value)} object>`;
  }
}

/** Decimal digits of an integer; Python refuses more than 4300. */
export function integerText(rt: Runtime, value: bigint, span: Span): string {
  if (bitLength(value) > 14_285) {
    const message =
      "Exceeds the limit (4300 digits) for integer string conversion; " +
      "use sys.set_int_max_str_digits() to increase the limit";
    rt.fail("ValueError", message, span);
  }
  rt.tick(bitLength(value) >> 4, span);
  return value.toString();
}

function representContainer(
  rt: Runtime,
  value: Extract<Value, { kind: "tuple" | "list" | "dict" | "set" | "dict-view" }>,
  span: Span,
  open: readonly Value[],
): string {
  if (open.includes(value)) {
    return value.kind === "list" ? "[...]" : value.kind === "dict" ? "{...}" : "(...)";
  }
  const inside = [...open, value];
  const each = (items: readonly Value[]) => joined(rt, items, span, inside);
  return rt.nested(span, () => {
    switch (value.kind) {
      case "tuple":
        return value.items.length === 1 ? `(${each(value.items)},)` : `(${each(value.items)})`;
      case "list":
        return `[${each(value.items)}]`;
      case "dict":
        return `{${entriesText(rt, value, span, inside)}}`;
      case "dict-view":
        return `dict_${value.of}([${each(viewItems(value))}])`;
      case "set": {
        if (value.members.size === 0) return value.frozen ? "frozenset()" : "set()";
        const text = `{${each(orderedMembers(value))}}`;
        return value.frozen ? `frozenset(${text})` : text;
      }
    }
  });
}

function joined(rt: Runtime, items: readonly Value[], span: Span, open: readonly Value[]): string {
  return counted(rt, items.map((item) => represent(rt, item, span, open)).join(", "), span);
}

function entriesText(
  rt: Runtime,
  dict: Extract<Value, { kind: "dict" }>,
  span: Span,
  open: readonly Value[],
): string {
  const parts = [...dict.entries.values()].map(
    ({ key, value }) => `${represent(rt, key, span, open)}: ${represent(rt, value, span, open)}`,
  );
  return counted(rt, parts.join(", "), span);
}

function counted(rt: Runtime, text: string, span: Span): string {
  rt.tick(text.length >> 4, span);
  rt.allocateText(text.length, span);
  return text;
}

function viewItems({ dict, of }: Extract<Value, { kind: "dict-view" }>): readonly Value[] {
  return [...dict.entries.values()].map(({ key, value }): Value => {
    if (of === "keys") return key;
    return of === "values" ? value : { kind: "tuple", items: [key, value] };
  });
}

function representInstance(
  rt: Runtime,
  value: InstanceValue,
  span: Span,
  open: readonly Value[],
): string {
  const own = callSpecial(rt, value, "__repr__", [], span);
  if (own !== undefined) return expectText(rt, own, "__repr__", span);
  if (value.native !== undefined) return represent(rt, value.native, span, open);
  return instanceText(rt, value, span, open);
}

/** `repr` of an instance without its own `__repr__`. */
export function instanceText(
  rt: Runtime,
  value: InstanceValue,
  span: Span,
  open: readonly Value[] = [],
): string {
  if (!isSubclass(value.type, rt.type("BaseException")))
    return `<__main__.${value.type.name} object>`;
  const args = value.attributes.get("args");
  const items = args?.kind === "tuple" ? args.items : [];
  return `${value.type.name}(${joined(rt, items, span, open)})`;
}

/** String in quotes with escapes, as `repr` writes it. */
export function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let quoted = mark;
  for (const character of text) quoted += escaped(character, mark);
  return quoted + mark;
}

/** String with all non-ASCII characters escaped, as `ascii` writes it. */
export function asciiOf(text: string): string {
  return Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < 128) return character;
    if (point < 256) return `\\x${hex(point, 2)}`;
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  }).join("");
}

const named: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function escaped(character: string, mark: string): string {
  if (character === mark) return `\\${mark}`;
  const short = fieldOf(named, character);
  if (short !== undefined) return short;
  const point = character.codePointAt(0) ?? 0;
  if (point >= 32 && point < 127) return character;
  if (point < 32 || (point >= 127 && point <= 160) || point === 0xad) return `\\x${hex(point, 2)}`;
  if (/[\p{C}\p{Z}]/u.test(character))
    return point > 0xffff ? `\\U${hex(point, 8)}` : `\\u${hex(point, 4)}`;
  return character;
}

function hex(point: number, width: number): string {
  return point.toString(16).padStart(width, "0");
}
