import type { InstanceValue, Value } from "#language/python";

/** What is copied, and how. */
interface Copying {
  readonly isModule: (value: Value) => boolean;
  /** Takes note of a copy of a module. */
  readonly noteCopy: (made: InstanceValue, of: InstanceValue) => void;
  /** The copy of a tensor; any other value of the host stays itself. */
  readonly tensor: (value: Value) => Value;
}

/** A copy of modules, their weights and the containers around them; all else is shared. */
export function deepCopy(root: Value, copying: Copying): Value {
  const done = new Map<Value, Value>();
  const copy = (value: Value): Value => {
    const known = done.get(value);
    if (known !== undefined) return known;
    const made = shell(value, copying);
    done.set(value, made);
    fill(value, made, copy);
    return made;
  };
  return copy(root);
}

/** The copy of a value before what is inside it is copied. */
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
