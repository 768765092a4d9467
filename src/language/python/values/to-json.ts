import { floatText } from "./numbers.ts";
import { orderedMembers } from "./set-order.ts";
import type { HostObject, Value } from "./value.ts";

/**
 * A value as JSON data: tuples and sets become lists; integers beyond 2^53, infinities, NaN and
 * keys become strings. Other values become a short text.
 *
 * @param ofHost converts host objects; by default their own `plain`
 */
export function toJson(
  value: Value,
  ofHost: (object: HostObject) => unknown = (object) => object.type.plain?.(object),
): unknown {
  return jsonOf(value, ofHost, []);
}

/**
 * Whether a value as JSON data has at most `most` parts: items, keys, and pieces of 64 characters.
 * A value contained several times counts each time, although it takes no more memory.
 */
export function isJsonWithin(value: Value, most: number): boolean {
  let parts = 0;
  const waiting: (readonly [Value, number])[] = [[value, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [each, depth] = next;
    parts += 1 + partsOfScalar(each);
    const inner = depth > mostDepth ? [] : innerOf(each);
    if (parts + waiting.length + inner.length > most) return false;
    for (const item of inner) waiting.push([item, depth + 1]);
  }
  return true;
}

function partsOfScalar(value: Value): number {
  if (value.kind === "str") return value.value.length >> 6;
  if (value.kind !== "int" || Number.isFinite(Number(value.value))) return 0;
  return value.value.toString(16).length >> 4;
}

function innerOf(value: Value): readonly Value[] {
  switch (value.kind) {
    case "tuple":
    case "list":
      return value.items;
    case "set":
      return [...value.members.values()];
    case "dict":
      return [...value.entries.values()].flatMap(({ key, value: item }) => [key, item]);
    case "instance":
      return value.native === undefined ? [] : [value.native];
    default:
      return [];
  }
}

const mostDepth = 100;

function jsonOf(
  value: Value,
  ofHost: (object: HostObject) => unknown,
  open: readonly Value[],
): unknown {
  if (open.includes(value) || open.length > mostDepth) return "...";
  const each = (items: readonly Value[]) =>
    items.map((item) => jsonOf(item, ofHost, [...open, value]));
  switch (value.kind) {
    case "none":
      return null;
    case "bool":
    case "str":
      return value.value;
    case "int":
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : String(value.value);
    case "float":
      return Number.isFinite(value.value) ? value.value : floatText(value.value);
    case "tuple":
    case "list":
      return each(value.items);
    case "set":
      return each(orderedMembers(value));
    case "dict": {
      const entries = [...value.entries.values()].map(({ key, value: item }) => [
        keyText(key),
        jsonOf(item, ofHost, [...open, value]),
      ]);
      return Object.fromEntries(entries);
    }
    case "instance":
      return value.native === undefined
        ? `<${value.type.name} object>`
        : jsonOf(value.native, ofHost, open);
    case "host":
      return ofHost(value) ?? value.type.text?.(value) ?? `<${value.type.name} object>`;
    default:
      return wordFor(value);
  }
}

function keyText(key: Value): string {
  return key.kind === "str" ? key.value : String(JSON.stringify(toJson(key)));
}

function wordFor(value: Value): string {
  switch (value.kind) {
    case "class":
      return `<class '${value.name}'>`;
    case "function":
      return `<function ${value.name}>`;
    case "module":
      return `<module '${value.name}'>`;
    case "range":
      return `range(${value.start}, ${value.stop}${value.step === 1n ? "" : `, ${value.step}`})`;
    default:
      return `<${value.kind}>`;
  }
}
