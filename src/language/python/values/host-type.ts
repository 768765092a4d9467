import type { Span } from "#core/diagnostics";

/**
 * Operations of a kind of host values; a missing operation raises as in Python. The value types are
 * parameters because they refer to this type in turn; value.ts fills them in.
 */
export interface HostTypeOver<HostObject, Value, Argument, Context> {
  readonly name: string;
  readonly call?: (
    self: HostObject,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ) => Value;
  /** Result of calling an object that is not callable; `undefined` raises TypeError. */
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
  /** `a += b` and other augmented assignments; `undefined` falls back to `a + b`. */
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
  /** `items[self]` of a list or tuple for a non-number; `undefined` uses its number. */
  readonly among?: (
    self: HostObject,
    items: readonly Value[],
    context: Context,
    span: Span,
  ) => Value | undefined;
  /**
   * `self[key] = value`; false where that is impossible. A returned value is assigned to the name,
   * attribute or item from which `self` was read.
   */
  readonly setItem?: (
    self: HostObject,
    key: Value,
    value: Value,
    context: Context,
    span: Span,
  ) => boolean | Value;
  /** `self[key] op= value` in one operation; false to read, update and store the item. */
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
  /** Values of `a, b = self` for `count` names; iterates when absent. */
  readonly unpack?: (
    self: HostObject,
    count: number,
    context: Context,
    span: Span,
  ) => readonly Value[] | undefined;
  /**
   * `int(self)` or `float(self)`; for `index` an integer; for an unknown value and `rounds`, the
   * number of rounds of a `range`.
   */
  readonly number?: (
    self: HostObject,
    as: "int" | "float" | "index" | "rounds",
    context: Context,
    span: Span,
  ) => Value | undefined;
  readonly length?: (self: HostObject, context: Context, span: Span) => number | undefined;
  /** Truth as a condition; its length decides when absent. */
  readonly truth?: (self: HostObject, context: Context, span: Span) => boolean | undefined;
  /** Whether the kind of value is unknown: its class, and its membership in containers. */
  readonly isUnknown?: true;
  /** Whether it becomes a method when it is a class attribute, as a function does. */
  readonly isMethod?: true;
  readonly equals?: (self: HostObject, other: Value) => boolean;
  readonly text?: (self: HostObject) => string;
  /** Value as plain JSON data, for scripts; its text is used when absent. */
  readonly plain?: (self: HostObject) => unknown;
}
