import type { Json } from "#core/dimops";
import type { Context, Value } from "#language/python";
import { integer, text } from "./values.ts";

/**
 * A Python value as JSON data for `bind`: a float as `{ float }`, other values without a JSON form
 * as their text.
 */
export function jsonOf(value: Value, context: Context): Json {
  switch (value.kind) {
    case "none":
      return null;
    case "bool":
    case "str":
      return value.value;
    case "int":
      return Number(value.value);
    case "float":
      return { float: value.value };
    case "tuple":
    case "list":
      return value.items.map((item) => jsonOf(item, context));
    default:
      return context.text(value);
  }
}

/** JSON data as a Python value; lists and objects as their JSON text. */
export function pythonOf(value: Json): Value {
  if (value === null) return { kind: "none" };
  if (typeof value === "boolean") return { kind: "bool", value };
  if (typeof value === "number") return integer(value);
  if (typeof value === "string") return text(value);
  if ("float" in value && typeof value.float === "number")
    return { kind: "float", value: value.float };
  return text(JSON.stringify(value));
}
