import type { Span } from "#core/diagnostics";

/**
 * The operations of one kind of host values; a missing operation raises as Python would. The types
 * of values are parameters, since they name this type in turn: value.ts fills them in.
 */
export interface HostTypeOver<HostObject, Value, Argument, Context> {
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
