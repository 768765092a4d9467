import type { Json } from "#core/dimops";
import type { Attribute, Attributes } from "#core/ir";
import type { OperationNode } from "./graph.ts";

/** What only describes the index, and is no argument of the kernel. */
const descriptive = ["anno", "index_names", "arguments", "block_of"];

/** The parameters of an operation that are arguments of its kernel. */
export function attributesOf({ params }: OperationNode): Attributes {
  const kept = [...params].flatMap(([name, value]): [string, Attribute][] => {
    const attribute = attributeOf(value);
    return attribute === undefined || descriptive.includes(name) ? [] : [[name, attribute]];
  });
  return Object.fromEntries(kept);
}

function attributeOf(value: Json): Attribute | undefined {
  if (Array.isArray(value)) {
    const numbers = value.filter((item): item is number => typeof item === "number");
    return numbers.length === value.length ? numbers : undefined;
  }
  if (value === null || typeof value === "object") return undefined;
  return value;
}
