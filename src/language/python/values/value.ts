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
 * and `module`. A class may inherit from a `ClassValue` that the host made (`nn.Cell`), whose
 * methods are host functions.
 *
 * The types of this file refer to each other in a cycle, so they are in one file. `Context` and
 * `HostType` belong to the cycle; their members, which refer to it by type parameters, are in files
 * of their own.
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

/** Facts of a number beside its value. */
export interface NumberFacts {
  readonly origin?: NumberOrigin;
  /** Attributes that a library's number type has beside Python's own. */
  readonly ofLibrary?: (self: Value, name: string) => Value | undefined;
}

/**
 * Origin of a number that the host gave (`host`, in its own terms) or that the program computed
 * from such numbers; absent for all other numbers.
 */
export type NumberOrigin =
  | { readonly kind: "host"; readonly what: object }
  | { readonly kind: "made"; readonly operator: string; readonly operands: readonly Value[] };

/** An immutable sequence; tuples compare by their items. */
export interface TupleValue {
  readonly kind: "tuple";
  readonly items: readonly Value[];
  /** Names of the items of a named tuple of the host, in order: `values` and `indices`. */
  readonly fields?: readonly string[];
}

/** A mutable sequence. */
export interface ListValue {
  readonly kind: "list";
  items: Value[];
}

/** Key of a value in a dict or set; equal values have equal keys. */
export type Key = string | number | object;

export interface Entry {
  readonly key: Value;
  value: Value;
}

/** A dict; insertion order is iteration order, as in Python. */
export interface DictValue {
  readonly kind: "dict";
  readonly entries: Map<Key, Entry>;
}

/** Live view from `d.keys()`, `d.values()` or `d.items()`. */
export interface DictView {
  readonly kind: "dict-view";
  readonly dict: DictValue;
  readonly of: "keys" | "values" | "items";
}

/**
 * A set; members are stored in insertion order, so that every run of a text gives the same result.
 */
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

/** Returns the next item, or `undefined` at the end. */
export type Advance = () => Value | undefined;

/** A built-in iterator: `zip`, `enumerate`, `map`, `iter(x)`, …; `name` is its Python type. */
export interface IteratorValue {
  readonly kind: "iterator";
  readonly name: string;
  readonly advance: Advance;
  /**
   * Unpacks into a given number of items, for an iterator without a fixed number; absent for
   * others.
   */
  readonly unpack?: (count: number) => readonly Value[] | undefined;
}

/** How a suspended generator is resumed. */
export type Resume = { readonly send: Value } | { readonly raise: unknown };

/** A suspended function body. `resume` returns the yielded value, or the returned one when done. */
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
  /** Default values by parameter name. */
  readonly defaults: ReadonlyMap<string, Value>;
  readonly returnAnnotationSpan?: Span;
  /** From the first decorator to the end of the body. */
  readonly span: Span;
  readonly nameSpan: Span;
  readonly bodySpan: Span;
  readonly docstring?: string;
  /** Attributes set on the function object. */
  readonly attributes: Map<string, Value>;
  /** Runs the body with the arguments in parameter order. */
  readonly run: (values: readonly Value[], span: Span, receiver?: Value) => Value;
}

/** A function bound to its receiver. */
export interface MethodValue {
  readonly kind: "method";
  readonly self: Value;
  readonly callee: Value;
}

/** `@staticmethod`, `@classmethod`, and `@property` with its accessors. */
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
  /** Name with the enclosing classes and functions; absent when equal to `name`. */
  readonly qualifiedName?: string;
  /** Method resolution order, this class first, `object` last. */
  readonly mro: readonly ClassValue[];
  readonly attributes: Map<string, Value>;
  /** Metaclass; absent when it is `type` itself. */
  readonly metaclass?: ClassValue;
  /** From the first decorator to the end of the body; absent for classes of the host. */
  readonly span?: Span;
  readonly nameSpan?: Span;
  readonly docstring?: string;
}

/** An instance of a class of the text or of the host. */
export interface InstanceValue {
  readonly kind: "instance";
  readonly type: ClassValue;
  readonly attributes: Map<string, Value>;
  /** Built-in value inside, for an instance of a subclass of `list`, `dict`, `int`, … */
  readonly native?: Value;
}

/**
 * Value of a name whose statement failed; using it ends the using statement without a further
 * diagnostic.
 */
export interface UnknownValue {
  readonly kind: "unknown";
}

/** An argument of a call as passed; keyword arguments have a `name`. */
export interface Argument {
  readonly value: Value;
  /** Span of the argument's expression (for `*args` items, of the starred expression). */
  readonly span: Span;
  readonly name?: string;
  /** Span of the keyword, for renaming and edits. */
  readonly nameSpan?: Span;
  /** Span tree of the argument, for edits of its parts. */
  readonly tree?: SpanTree;
}

/**
 * A running function call. Frames are listed innermost last and give names such as `block[3].h`.
 */
export interface Frame {
  /** Name of the function, or of the class whose method runs. */
  readonly name: string;
  /** The function value; calls of one function share it. */
  readonly callee: FunctionValue;
  /** 0 for the first call of this callee in this evaluation, 1 for the second, … */
  readonly ordinal: number;
  readonly callSpan: Span;
  /** Receiver of a method call; absent for plain calls. */
  readonly receiver?: Value;
}

/** Services that a host function may use while it runs. */
export interface Context extends ContextOver<Value, Argument, Frame> {}

/**
 * A function of the embedding program. Arguments keep their spans; keyword arguments have a name.
 */
export interface HostFunction {
  readonly kind: "host-function";
  readonly name: string;
  readonly call: (args: readonly Argument[], context: Context, span: Span) => Value;
  /** For a host function that represents a class: whether `isinstance` holds for a value. */
  readonly isInstance?: (value: Value) => boolean;
  /** For a host function that represents a class: its attributes. */
  readonly member?: (name: string) => Value | undefined;
}

/** Operations of a kind of host values; a missing operation raises as in Python. */
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
  /** Names that `from module import *` binds; absent when unknown. */
  readonly names?: readonly string[];
  /** Whether a name that `attribute` does not find is no submodule either. */
  readonly isWhole?: boolean;
  /** Whether it is certain that it has no attribute, and no module inside, of a name. */
  readonly lacks?: (name: string) => boolean;
  readonly attribute: (name: string, context: Context, span: Span) => Value | undefined;
}
