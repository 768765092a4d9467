import type { Diagnostic, Span } from "#core/diagnostics";
import type { SpanTree } from "./tree.ts";

/**
 * A value of the Python subset. Containers are mutable JavaScript objects with identity, as in
 * Python; everything else is immutable.
 *
 * The embedding program adds `host` objects (tensors, meshes, layouts, primitives), `host-function`
 * and `module`; a class may inherit from a `ClassValue` that the host made (`nn.Cell`), whose
 * methods are host functions.
 *
 * The types of this file name each other in a ring, so they stand together.
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
  /** So many items, where it gives as many as it is unpacked into; absent where it has a number of its own. */
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

export type ParameterKind =
  | "positional-only"
  | "positional"
  | "keyword-only"
  | "var-positional"
  | "var-keyword";

/** One parameter of a `def` or `lambda`. Spans are absent for generated functions. */
export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly span: Span;
  readonly nameSpan: Span;
  /** Where the annotation after `:` stands; it is never evaluated. */
  readonly annotationSpan?: Span;
  /** Where the default after `=` stands, and the shape of its text. */
  readonly defaultTree?: SpanTree;
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

/** What a name holds whose statement failed; any use ends the using statement in silence. */
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

/** What came of something that ran beside the program. */
export type Apart<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Diagnostic | undefined };

/** What a host function may do while it runs. */
export interface Context {
  /** Calls any callable value, as Python would. */
  call(callee: Value, args: readonly Argument[], span: Span): Value;
  getAttribute(value: Value, name: string, span: Span): Value;
  setAttribute(value: Value, name: string, to: Value, span: Span): void;
  /** Iterates as a `for` loop would, within the limits. */
  iterate(value: Value, span: Span): readonly Value[];
  /** `str(value)`. */
  text(value: Value): string;
  /** Ends the statement with a Python exception of this kind at this place. Never returns. */
  raise(kind: string, message: string, span: Span, extra?: Partial<Diagnostic>): never;
  /** Adds a diagnostic (a warning, an assumption) and goes on. */
  report(diagnostic: Diagnostic): void;
  /**
   * Ends the statement with a diagnostic, for the host does not know what it asks: what the
   * statement sets is unknown. No `except` of the text catches it. Never returns.
   */
  leaveOut(diagnostic: Diagnostic): never;
  /**
   * Runs something; a Python exception becomes a diagnostic, unless it `isQuiet`, and the answer
   * `undefined`.
   *
   * @param options.onFault hears of the fault of a quiet action
   * @param options.assumes what the action runs with that the text does not give: then its fault is
   * a warning, which says so
   */
  attempt<T>(
    action: () => T,
    options?: {
      readonly isQuiet?: boolean;
      readonly onFault?: (fault: Diagnostic) => void;
      readonly assumes?: string;
    },
  ): T | undefined;
  /**
   * Runs something beside the program, also when that has ended: it has so many steps of its own,
   * and what it reports is dropped. The value, or the fault that ended it.
   */
  apart<T>(action: () => T, steps: number): Apart<T>;
  /** The names of a module of the host that is written in Python; it may import what the text may. */
  library(home: string, text: string): ReadonlyMap<string, Value>;
  /**
   * Whether exceptions are as in Python: the text catches them around what runs, as
   * `try: import … except ImportError`, or the evaluation is strict.
   */
  readonly isGuarded: boolean;
  /**
   * The text's own top-level value of a name, also one that is defined further down; undefined if
   * its definition failed.
   */
  ownName(name: string): Value | undefined;
  readonly frames: readonly Frame[];
  /** The text that is evaluated. */
  readonly source: string;
}

/** A function of the embedding program. `args` keep their spans; keywords carry a name. */
export interface HostFunction {
  readonly kind: "host-function";
  readonly name: string;
  readonly call: (args: readonly Argument[], context: Context, span: Span) => Value;
  /** Where it stands for a class: of which values `isinstance` holds. */
  readonly isInstance?: (value: Value) => boolean;
  /** Where it stands for a class: what the class has under a name. */
  readonly member?: (name: string) => Value | undefined;
}

/** What values of one host type can do; what is left out raises as Python would. */
export interface HostType {
  readonly name: string;
  readonly call?: (
    self: HostObject,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => Value;
  /** What a call gives of an object that is not callable; `undefined` raises TypeError. */
  readonly calledAnyway?: (
    self: HostObject,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  readonly attribute?: (
    self: HostObject,
    name: string,
    context: Context,
    span: Span,
  ) => Value | undefined;
  readonly setAttribute?: (
    self: HostObject,
    name: string,
    value: Value,
    context: Context,
    span: Span,
  ) => boolean;
  /** `+ - * / // % ** @ << >> & | ^ < <= > >=`; `reflected` when self is the right operand. */
  readonly binary?: (
    self: HostObject,
    operator: string,
    other: Value,
    reflected: boolean,
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** `a += b` and the like; what it does not answer is `a + b`. */
  readonly update?: (
    self: HostObject,
    operator: string,
    other: Value,
    context: Context,
    span: Span,
  ) => Value | undefined;
  /** `-self`, `+self`, `~self`, and `abs(self)` as `abs`, `round(self)` as `round`. */
  readonly unary?: (
    self: HostObject,
    operator: string,
    context: Context,
    span: Span,
  ) => Value | undefined;
  readonly item?: (self: HostObject, key: Value, context: Context, span: Span) => Value | undefined;
  /** `items[self]` of a list or a tuple, where it is no number; `undefined` asks for its number. */
  readonly among?: (
    self: HostObject,
    items: readonly Value[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * `self[key] = value`; false where that cannot be. A value is what the name, attribute or item
   * holds afterwards that `self` was read from.
   */
  readonly setItem?: (
    self: HostObject,
    key: Value,
    value: Value,
    context: Context,
    span: Span,
  ) => boolean | Value;
  /** `self[key] op= value` at once; false where it is an item that is changed and put back. */
  readonly updateItem?: (
    self: HostObject,
    key: Value,
    update: readonly [operator: string, value: Value],
    context: Context,
    span: Span,
  ) => boolean;
  readonly iterate?: (
    self: HostObject,
    context: Context,
    span: Span,
  ) => readonly Value[] | undefined;
  /** What `a, b = self` gives so many names; as an iteration would when unsaid. */
  readonly unpack?: (
    self: HostObject,
    count: number,
    context: Context,
    span: Span,
  ) => readonly Value[] | undefined;
  /**
   * `int(self)`, `float(self)`; where a whole number is wanted (`index`), an int; of what is unknown,
   * how often a `range` runs (`rounds`).
   */
  readonly number?: (
    self: HostObject,
    as: "int" | "float" | "index" | "rounds",
    context: Context,
    span: Span,
  ) => Value | undefined;
  readonly length?: (self: HostObject, context: Context, span: Span) => number | undefined;
  /** Whether it holds as a condition; by its length when unsaid. */
  readonly truth?: (self: HostObject, context: Context, span: Span) => boolean | undefined;
  /** Nobody knows what kind of value it is: of which class it is, and what it is in. */
  readonly isUnknown?: true;
  /** Whether one that stands in a class becomes a method of its instances, as a function does. */
  readonly isMethod?: true;
  readonly equals?: (self: HostObject, other: Value) => boolean;
  readonly text?: (self: HostObject) => string;
  /** The value as plain JSON data, for scripts; without it the text stands for it. */
  readonly plain?: (self: HostObject) => unknown;
}

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
