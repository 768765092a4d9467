import type { Span } from "#core/diagnostics";
import { callSpecial } from "./call.ts";
import { lookUp, plain, typeName } from "./classes.ts";
import { equals } from "./equality.ts";
import { chargeSize, type Runtime } from "./runtime.ts";
import { keyOfText } from "./text-key.ts";
import type { InstanceValue, Key, Value } from "./value.ts";

const noneKey = { of: "none" };
const ellipsisKey = { of: "ellipsis" };

/** Key of a value in dicts and sets; raises TypeError for unhashable values. */
export function keyOf(rt: Runtime, value: Value, span: Span): Key {
  chargeSize(rt, value, span);
  switch (value.kind) {
    case "none":
      return noneKey;
    case "ellipsis":
      return ellipsisKey;
    case "bool":
      return value.value ? 1 : 0;
    case "int":
      return keyOfInteger(value.value);
    case "float":
      return Number.isInteger(value.value) ? keyOfInteger(BigInt(value.value)) : value.value;
    case "str":
      return keyOfText(value.value);
    case "tuple":
      return rt.nested(span, () => `\u0001t${keyOfItems(rt, value.items, span).join("")}`);
    case "set":
      if (!value.frozen) break;
      return `\u0001f${keyOfItems(rt, [...value.members.values()], span)
        .sort()
        .join("")}`;
    case "range":
      return `\u0001r${value.start},${value.stop},${value.step}`;
    case "instance":
      return keyOfInstance(rt, value, span);
    case "unknown":
      rt.known(value);
      break;
    case "list":
    case "dict":
    case "dict-view":
    case "slice":
      break;
    default:
      return value;
  }
  return rt.fail("TypeError", `unhashable type: '${typeName(value)}'`, span);
}

function keyOfInteger(value: bigint): Key {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : `\u0001i${value.toString(16)}`;
}

/**
 * Keys of a tuple's items. Each part contains its length, so that different lists never give equal
 * keys.
 */
function keyOfItems(rt: Runtime, items: readonly Value[], span: Span): string[] {
  rt.tick(items.length, span);
  return items.map((item) => {
    const key = keyOf(rt, item, span);
    if (typeof key === "number") return `n${key};`;
    if (typeof key === "string") {
      rt.allocateText(key.length, span);
      return `s${key.length};${key}`;
    }
    return `o${rt.identity(key)};`;
  });
}

function keyOfInstance(rt: Runtime, value: InstanceValue, span: Span): Key {
  const hash = lookUp(value.type, "__hash__");
  const equality = lookUp(value.type, "__eq__");
  if (hash === undefined && equality === undefined) {
    const inner = plain(value);
    return inner === value ? value : keyOf(rt, inner, span);
  }
  if (hash === undefined || hash.kind === "none") {
    return rt.fail("TypeError", `unhashable type: '${typeName(value)}'`, span);
  }
  const result = callSpecial(rt, value, "__hash__", [], span);
  if (result?.kind !== "int" && result?.kind !== "bool") {
    return rt.fail("TypeError", "__hash__ method should return an integer", span);
  }
  const bucket = String(result.value);
  const known = rt.representatives.get(bucket) ?? [];
  const same = known.find((other) => other === value || equals(rt, value, other, span));
  if (same !== undefined) return same;
  rt.representatives.set(bucket, [...known, value]);
  return value;
}
