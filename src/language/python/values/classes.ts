import type { ClassValue, InstanceValue, Value } from "./value.ts";

/** Python's built-in classes by name. */
export type Types = ReadonlyMap<string, ClassValue>;

const plainTypes = [
  "type NoneType ellipsis int float str tuple list dict set frozenset range slice function method",
  "builtin_function_or_method module generator property staticmethod classmethod super",
  "dict_keys dict_values dict_items NotImplementedType",
]
  .join(" ")
  .split(" ");

/** Exception hierarchy of CPython: each line is a class and its subclasses. */
const exceptionTree = [
  "BaseException: Exception GeneratorExit KeyboardInterrupt SystemExit",
  "Exception: ArithmeticError AssertionError AttributeError EOFError ImportError LookupError",
  "Exception: MemoryError NameError OSError RuntimeError StopIteration StopAsyncIteration",
  "Exception: SyntaxError TypeError ValueError Warning ReferenceError BufferError SystemError",
  "ArithmeticError: ZeroDivisionError OverflowError FloatingPointError",
  "ImportError: ModuleNotFoundError",
  "LookupError: IndexError KeyError",
  "NameError: UnboundLocalError",
  "OSError: FileNotFoundError FileExistsError PermissionError TimeoutError ConnectionError",
  "RuntimeError: NotImplementedError RecursionError",
  "SyntaxError: IndentationError",
  "IndentationError: TabError",
  "ValueError: UnicodeError",
  "UnicodeError: UnicodeDecodeError UnicodeEncodeError",
  "Warning: DeprecationWarning FutureWarning RuntimeWarning UserWarning SyntaxWarning",
  "Warning: PendingDeprecationWarning ImportWarning",
].map((line) => {
  const [base = "", names = ""] = line.split(": ");
  return { base, names: names.split(" ") };
});

/** Makes Python's built-in classes for one evaluation. */
export function createTypes(): Map<string, ClassValue> {
  const types = new Map<string, ClassValue>();
  const object = makeClass("object", []);
  types.set("object", object);
  const root = [object];
  for (const name of plainTypes) types.set(name, makeClass(name, root));
  const int = types.get("int") ?? object;
  types.set("bool", makeClass("bool", [int]));
  types.set("BaseException", makeClass("BaseException", [object]));
  for (const { base, names } of exceptionTree) {
    const parents = [types.get(base) ?? object];
    for (const name of names) types.set(name, makeClass(name, parents));
  }
  return types;
}

/** A class with its method resolution order; bases must have a consistent order. */
export function makeClass(
  name: string,
  bases: readonly ClassValue[],
  rest: Partial<Omit<ClassValue, "kind" | "name" | "bases" | "mro">> = {},
): ClassValue {
  const mro: ClassValue[] = [];
  const made: ClassValue = { kind: "class", name, bases, mro, attributes: new Map(), ...rest };
  mro.push(made, ...(mergeOrders(bases) ?? []));
  return made;
}

/**
 * C3 linearization of the bases (https://www.python.org/download/releases/2.3/mro/); `undefined`
 * when no order is consistent with every base's own.
 */
export function mergeOrders(bases: readonly ClassValue[]): readonly ClassValue[] | undefined {
  const [only] = bases;
  if (bases.length === 1 && only !== undefined) return only.mro;
  let waiting = [...bases.map((base) => [...base.mro]), [...bases]].filter(
    (list) => list.length > 0,
  );
  const order: ClassValue[] = [];
  while (waiting.length > 0) {
    const lists = waiting;
    const next = lists
      .map(([head]) => head)
      .find((head) => head !== undefined && !lists.some((list) => list.indexOf(head) > 0));
    if (next === undefined) return undefined;
    order.push(next);
    waiting = lists
      .map((list) => (list[0] === next ? list.slice(1) : list))
      .filter((list) => list.length > 0);
  }
  return order;
}

/** Name of a value's class in error messages. */
export function typeName(value: Value): string {
  switch (value.kind) {
    case "none":
      return "NoneType";
    case "host":
      return value.type.name;
    case "instance":
      return value.type.name;
    case "iterator":
      return value.name;
    case "class":
      return value.metaclass?.name ?? "type";
    case "host-function":
      return "builtin_function_or_method";
    case "dict-view":
      return `dict_${value.of}`;
    case "set":
      return value.frozen ? "frozenset" : "set";
    default:
      return value.kind;
  }
}

/** Class of a value. Types without a class of their own share one by name. */
export function classOf(types: Map<string, ClassValue>, value: Value): ClassValue {
  if (value.kind === "instance") return value.type;
  if (value.kind === "class" && value.metaclass !== undefined) return value.metaclass;
  const name = typeName(value);
  const known = types.get(name);
  if (known !== undefined) return known;
  const object = types.get("object");
  const made = makeClass(name, object === undefined ? [] : [object]);
  types.set(name, made);
  return made;
}

/** Attribute found along the method resolution order; `undefined` without one. */
export function lookUp(type: ClassValue, name: string): Value | undefined {
  for (const ancestor of type.mro) {
    const found = ancestor.attributes.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Special method, such as `__len__`, of an instance's class or a class's metaclass. */
export function specialOf(value: Value, name: string): Value | undefined {
  if (value.kind === "instance") return lookUp(value.type, name);
  if (value.kind !== "class" || value.metaclass === undefined) return undefined;
  return lookUp(value.metaclass, name);
}

/** Metaclass of a new class: the given one, or the most derived one of the bases. */
export function metaclassOf(
  bases: readonly ClassValue[],
  given?: ClassValue,
): ClassValue | undefined {
  return bases.reduce<ClassValue | undefined>((best, { metaclass }) => {
    if (metaclass === undefined) return best;
    return best === undefined || isSubclass(metaclass, best) ? metaclass : best;
  }, given);
}

export function isSubclass(type: ClassValue, of: ClassValue): boolean {
  return type.mro.includes(of);
}

export function makeInstance(type: ClassValue, native?: Value): InstanceValue {
  const attributes = new Map<string, Value>();
  return native === undefined
    ? { kind: "instance", type, attributes }
    : { kind: "instance", type, attributes, native };
}

/** Built-in value inside an instance of a built-in's subclass; other values unchanged. */
export function plain(value: Value): Value {
  return value.kind === "instance" && value.native !== undefined ? value.native : value;
}
