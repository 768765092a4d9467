// Classes with an unknown base or class decorator: their parameters and attributes are open.

import type { Span } from "#core/diagnostics";
import { type ClassValue, type Context, hostClass, type Value } from "#language/python";
import { assumedOf } from "./assumed.ts";
import { hostFunction, none } from "./values/values.ts";

/** Makes the value of an unknown member. */
type Unknown = (name: string) => Value;

/** Placeholder classes for unknown bases. */
const open = new WeakSet<ClassValue>();

/** Whether a class derives from an unknown one. */
export function hasUnknownBase(type: ClassValue): boolean {
  return unknownBaseOf(type) !== undefined;
}

/** The unknown base of a class; `undefined` when all bases are known. */
export function unknownBaseOf({ mro }: ClassValue): ClassValue | undefined {
  return mro.find((each) => open.has(each));
}

/**
 * Placeholder class for an unknown base. It takes any arguments and keeps keyword ones as
 * attributes; its other attributes are unknown.
 *
 * @param behind the classes that it derives from itself
 */
export function unknownBase(
  base: Value,
  behind: readonly ClassValue[],
  unknown: Unknown,
): ClassValue {
  const name = nameOf(base);
  const [first] = behind;
  const begin = first?.attributes.get("__init__");
  const made: ClassValue = hostClass(
    name,
    {
      __init__: ([self, ...args], context, span) => {
        if (begin !== undefined && self !== undefined) context.call(begin, [self], span);
        return keep([...(self ? [self] : []), ...args], context, span);
      },
      __getattr__: attributeOf(unknown),
      // Instances are callable with an unknown result, unless a known base such as a module defines
      // calls.
      ...(first === undefined && {
        __call__: ([, ...args]: Parameters<Call>[0], context: Context, span: Span) =>
          context.call(unknown(`${name}()`), args, span),
      }),
    },
    behind,
  );
  open.add(made);
  return made;
}

/** Placeholder class for an unknown base beside a known one: its members are unknown. */
export function addedBase(base: Value, unknown: Unknown): ClassValue {
  return hostClass(nameOf(base), { __getattr__: attributeOf(unknown) });
}

function nameOf(base: Value): string {
  return (assumedOf(base)?.name ?? "Base").replace(/^.*\./, "");
}

/**
 * Gives a class with an unknown decorator a constructor for its annotated fields and open
 * attributes.
 */
export function openClass(type: ClassValue, unknown: Unknown): void {
  if (type.mro.some(({ name, attributes }) => name !== "object" && attributes.has("__init__")))
    return;
  type.attributes.set("__init__", hostFunction("__init__", keep));
  if (!type.attributes.has("__getattr__"))
    type.attributes.set("__getattr__", hostFunction("__getattr__", attributeOf(unknown)));
}

type Call = Parameters<typeof hostFunction>[1];

/**
 * Keeps constructor arguments as attributes; positional ones follow the annotated fields in order.
 */
const keep: Call = ([self, ...args], context: Context, span: Span) => {
  const object = self?.value;
  if (object?.kind !== "instance") return none;
  const fields = fieldsOf(object.type);
  for (const [at, { name = fields[at], value }] of args.entries())
    if (name !== undefined) context.setAttribute(object, name, value, span);
  return none;
};

function fieldsOf({ mro }: ClassValue): readonly string[] {
  const names = mro.toReversed().flatMap(({ attributes }) => {
    const annotated = attributes.get("__annotations__");
    return annotated?.kind === "dict" ? [...annotated.entries.values()] : [];
  });
  return [...new Set(names.flatMap(({ key }) => (key.kind === "str" ? [key.value] : [])))];
}

function attributeOf(unknown: Unknown): Call {
  return ([self, name], context, span) => {
    const asked = name?.value.kind === "str" ? name.value.value : "";
    const own = self?.value.kind === "class" ? self.value : undefined;
    if (own !== undefined) return unknown(`${own.name}.${asked}`);
    const type = self?.value.kind === "instance" ? self.value.type.name : "";
    if (/^__|^_(parameters|modules|buffers)$/.test(asked))
      return context.raise("AttributeError", `'${type}' object has no attribute '${asked}'`, span);
    return unknown(`${type}().${asked}`);
  };
}
