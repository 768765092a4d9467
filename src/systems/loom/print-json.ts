/** Data that can be printed as JSON; a map is an object whose names keep the map's order. */
export type Printable =
  | null
  | boolean
  | number
  | string
  | readonly Printable[]
  | ReadonlyMap<string, Printable>
  | { readonly [name: string]: Printable };

/**
 * JSON as Jackson prints it: objects over several lines, two spaces deeper each, `"name" : value`;
 * lists on one line. No final newline.
 */
export function printJson(value: Printable, depth = 0): string {
  if (isList(value)) {
    const items = value.map((item) => printJson(item, depth));
    return items.length === 0 ? "[ ]" : `[ ${items.join(", ")} ]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  if (entries.length === 0) return "{ }";
  const inner = "  ".repeat(depth + 1);
  const lines = entries.map(
    ([name, item]) => `${inner}${JSON.stringify(name)} : ${printJson(item, depth + 1)}`,
  );
  return `{\n${lines.join(",\n")}\n${"  ".repeat(depth)}}`;
}

function isList(value: Printable): value is readonly Printable[] {
  return Array.isArray(value);
}
