import type { InstanceValue, Value } from "#language/python";

/** How values are copied. */
interface Copying {
  readonly isModule: (value: Value) => boolean;
  /** Notes that a module was copied. */
  readonly noteCopy: (made: InstanceValue, of: InstanceValue) => void;
  /** Gives the copy of a module the hooks of the module, each bound to the copy of its object. */
  readonly hooks?: (made: InstanceValue, of: InstanceValue, copy: (value: Value) => Value) => void;
  /** Copy of a tensor; other host values are returned as they are. */
  readonly tensor: (value: Value) => Value;
}

/**
 * Deep copy of modules, weights, their bound methods and the containers around them; other values
 * are shared.
 */
export function deepCopy(root: Value, copying: Copying): Value {
  const done = new Map<Value, Value>();
  const copy = (value: Value): Value => {
    const known = done.get(value);
    if (known !== undefined) return known;
    if (value.kind === "method") return { ...value, self: copy(value.self) };
    const made = shell(value, copying);
    done.set(value, made);
    fill(value, made, copy);
    if (made !== value && made.kind === "instance" && value.kind === "instance")
      copying.hooks?.(made, value, copy);
    return made;
  };
  return copy(root);
}

/** Copy of a value without its contents. */
function shell(value: Value, { isModule, noteCopy, tensor }: Copying): Value {
  if (value.kind === "list") return { kind: "list", items: [] };
  if (value.kind === "dict") return { kind: "dict", entries: new Map() };
  if (value.kind === "host") return tensor(value);
  if (value.kind !== "instance" || !isModule(value)) return value;
  const made: InstanceValue = { ...value, attributes: new Map() };
  noteCopy(made, value);
  return made;
}

function fill(value: Value, made: Value, copy: (value: Value) => Value): void {
  if (made === value) return;
  if (value.kind === "list" && made.kind === "list") made.items.push(...value.items.map(copy));
  if (value.kind === "dict" && made.kind === "dict") {
    for (const [key, entry] of value.entries)
      made.entries.set(key, { ...entry, value: copy(entry.value) });
  }
  if (value.kind !== "instance" || made.kind !== "instance") return;
  for (const [name, held] of value.attributes) made.attributes.set(name, copy(held));
}
