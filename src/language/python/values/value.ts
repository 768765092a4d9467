import type { Span } from "#core/diagnostics";
import type { ContextOver } from "./context.ts";
import type { HostTypeOver } from "./host-type.ts";
import type { Parameter } from "./parameter.ts";
import type { SpanTree } from "./tree.ts";

/**
 * A value of the Python subset. Containers are mutable JavaScript objects with identity, as in
 * Python; everything else is immutable.
 *
 * The embedding program adds `host` objects (tensors, meshes, layouts, primitives), `host-function`
 * and `module`; a class may inherit from a `ClassValue` that the host made (`nn.Cell`), whose
 * methods are host functions.
 *
 * The types of this file name each other in a ring, so they stand together. `Context` and `HostType`
 * belong to the ring; their members, which name it by type parameters, are in files of their own.
 */
export type Value =
  | { readonly kind: "none" }
  | { readonly kind: "ellipsis" }
  | { readonly kind: "bool"; readonly value: boolean }
  | ({ readonly kind: "int"; readonly value: bigint } & NumberFacts)
  | ({ readonly kind: "float"; readonly value: number } & NumberFacts)
  | { readonly kind: "str"; readonly value: string }
  | TupleValue
  | ListValue
  | DictValue
  | DictView
  | SetValue
  | RangeValue
  | SliceValue
  | IteratorValue
  | GeneratorValue
  | FunctionValue
  | MethodValue
  | DescriptorValue
  | SuperValue
  | ClassValue
  | InstanceValue
  | UnknownValue
  | HostFunction
  | HostObject
  | ModuleValue;

/** What a number may say beside its value. */
export interface NumberFacts {
  readonly origin?: NumberOrigin;
  /** What a library of the host gives its numbers beside Python's own attributes. */
  readonly ofLibrary?: (self: Value, name: string) => Value | undefined;
}

/**
 * Where a number comes from that the host gave (`host`, in its own words), or that the program worked
 * out of such numbers; absent of every other number.
 */
export type NumberOrigin =
  | { readonly kind: "host"; readonly what: object }
  | { readonly kind: "made"; readonly operator: string; readonly operands: readonly Value[] };

/** An immutable sequence; tuples are equal by their items. */
export interface TupleValue {
  readonly kind: "tuple";
  readonly items: readonly Value[];
  /** What the host calls the items, in order: `values` and `indices`. */
  readonly fields?: readonly string[];
}

/** A mutable sequence. */
export interface ListValue {
  readonly kind: "list";
  items: Value[];
}

/** What a dict or set files a value under; equal values have the same key. */
export type Key = string | number | object;

export interface Entry {
  readonly key: Value;
  value: Value;
}

/** Insertion order is iteration order, as in Python. */
export interface DictValue {
  readonly kind: "dict";
  readonly entries: Map<Key, Entry>;
}

/** The live result of `d.keys()`, `d.values()`, `d.items()`. */
export interface DictView {
  readonly kind: "dict-view";
  readonly dict: DictValue;
  readonly of: "keys" | "values" | "items";
}

/** Insertion order is iteration order, so that a text gives the same on every run. */
export interface SetValue {
  readonly kind: "set";
  readonly frozen: boolean;
  readonly members: Map<Key, Value>;
}

export interface RangeValue {
  readonly kind: "range";
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
}

export interface SliceValue {
  readonly kind: "slice";
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
}

/** Gives the next item, or `undefined` at the end. */
export type Advance = () => Value | undefined;

/** A builtin iterator: `zip`, `enumerate`, `map`, `iter(x)`, …; `name` is its Python type. */
export interface IteratorValue {
  readonly kind: "iterator";
  readonly name: string;
  readonly advance: Advance;
  /**
   * A given number of items, for an iterator that unpacks into any number of names; absent where the
   * iterator has its own number.
   */
  readonly unpack?: (count: number) => readonly Value[] | undefined;
}

/** What a suspended generator is resumed with. */
export type Resume = { readonly send: Value } | { readonly raise: unknown };

/** A suspended function body. `resume` gives what it yields, or the value that it returns. */
export interface GeneratorValue {
  readonly kind: "generator";
  readonly name: string;
  readonly resume: (how: Resume, span: Span) => { readonly done: boolean; readonly value: Value };
}

/** A function of the text. */
export interface FunctionValue {
  readonly kind: "function";
  readonly name: string;
  readonly qualifiedName: string;
  readonly parameters: readonly Parameter[];
  /** Values of the defaults, by parameter name. */
  readonly defaults: ReadonlyMap<string, Value>;
  readonly returnAnnotationSpan?: Span;
  /** From the first decorator to the end of the body. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly bodySpan: Span;
  readonly docstring?: string;
  /** Attributes set on the function object. */
  readonly attributes: Map<string, Value>;
  /** Runs the body with the parameters' values in order. */
  readonly run: (values: readonly Value[], span: Span, receiver?: Value) => Value;
}

/** A function bound to its receiver. */
export interface MethodValue {
  readonly kind: "method";
  readonly self: Value;
  readonly callee: Value;
}

/** `@staticmethod`, `@classmethod`, and `@property` with its parts. */
export type DescriptorValue =
  | { readonly kind: "staticmethod"; readonly callee: Value }
  | { readonly kind: "classmethod"; readonly callee: Value }
  | {
      readonly kind: "property";
      readonly get?: Value | undefined;
      readonly set?: Value | undefined;
      readonly remove?: Value | undefined;
    };

/** `super()` inside a method. */
export interface SuperValue {
  readonly kind: "super";
  readonly after: ClassValue;
  readonly self: Value;
}

/** A class of the text, of Python itself, or of the host (see `hostClass`). */
export interface ClassValue {
  readonly kind: "class";
  readonly name: string;
  readonly bases: readonly ClassValue[];
  /** With the classes and functions around it; absent where that is the name alone. */
  readonly qualifiedName?: string;
  /** Method resolution order, this class first, `object` last. */
  readonly mro: readonly ClassValue[];
  readonly attributes: Map<string, Value>;
  /** The class of the class, where that is not `type` itself. */
  readonly metaclass?: ClassValue;
  /** From the first decorator to the end of the body; absent for classes made by the host. */
  readonly span?: Span;
  readonly nameSpan?: Span;
  readonly docstring?: string;
}

/** An instance of a class of the text or of the host. */
export interface InstanceValue {
  readonly kind: "instance";
  readonly type: ClassValue;
  readonly attributes: Map<string, Value>;
  /** The builtin value inside, for an instance of a subclass of `list`, `dict`, `int`, … */
  readonly native?: Value;
}

/**
 * The value of a name whose statement failed; using it ends the using statement without a further
 * diagnostic.
 */
export interface UnknownValue {
  readonly kind: "unknown";
}

/** One argument of a call as it arrived: `name` for keyword arguments. */
export interface Argument {
  readonly value: Value;
  /** Where the argument's expression stands (for `*args` items, the starred expression). */
  readonly span: Span;
  readonly name?: string;
  /** Where the keyword itself stands, for rename and edits. */
  readonly nameSpan?: Span;
  /** The shape of the argument's text, for edits of a part of it. */
  readonly tree?: SpanTree;
}

/** One running function call, innermost last, for names such as `block[3].h`. */
export interface Frame {
  /** Name of the function, or of the class whose method runs. */
  readonly name: string;
  /** Identity of the function value; two calls of one function share it. */
  readonly callee: FunctionValue;
  /** 0 for the first call of this callee in this evaluation, 1 for the second, … */
  readonly ordinal: number;
  readonly callSpan: Span;
  /** The receiver of a method call, when there is one. */
  readonly receiver?: Value;
}

/** What a host function may do while it runs. */
export interface Context extends ContextOver<Value, Argument, Frame> {}

/** A function of the embedding program. `args` keep their spans; keywords carry a name. */
export interface HostFunction {
  readonly kind: "host-function";
  readonly name: string;
  readonly call: (args: readonly Argument[], context: Context, span: Span) => Value;
  /** For a host function that stands for a class: the values for which `isinstance` holds. */
  readonly isInstance?: (value: Value) => boolean;
  /** For a host function that stands for a class: its attributes. */
  readonly member?: (name: string) => Value | undefined;
}

/** The operations of one kind of host values; a missing operation raises as Python would. */
export interface HostType extends HostTypeOver<HostObject, Value, Argument, Context> {}

/** A value that only the embedding program understands. */
export interface HostObject {
  readonly kind: "host";
  readonly type: HostType;
  readonly data: unknown;
}

/** An imported module or any other namespace: attribute access only. */
export interface ModuleValue {
  readonly kind: "module";
  readonly name: string;
  /** What `from module import *` brings, where that is known. */
  readonly names?: readonly string[];
  /** What it does not answer to is no module inside it either. */
  readonly isWhole?: boolean;
  readonly attribute: (name: string, context: Context, span: Span) => Value | undefined;
}
