import type { Diagnostic, Span } from "#core/diagnostics";
import type { SpanTree } from "./tree.ts";
import type { ClassValue, Context, Frame, FunctionValue, InstanceValue, Value } from "./value.ts";

export type { SpanTree } from "./tree.ts";
export type { Argument, Context, Frame } from "./value.ts";

/** Assignment of a value to a simple name (`x = …`, or each name of an unpacking). */
export interface Binding {
  readonly name: string;
  readonly value: Value;
  readonly span: Span;
  readonly frames: readonly Frame[];
  /** Spans of the assigned expression and its items, for a plain `x = …`. */
  readonly tree?: SpanTree;
}

/** An instance's attribute before it is reassigned or deleted. */
export interface Replacement {
  readonly owner: InstanceValue;
  readonly name: string;
  readonly before: Value;
  /** New value; the same one after `a.name += b`; absent for a deletion. */
  readonly after?: Value;
  readonly span: Span;
}

/**
 * Watches a `for` loop in its first round. The host may throw `signal` in it: that round then
 * counts as not begun, and one round runs for all items together.
 */
export interface LoopWatch {
  readonly signal: Error;
  /** Whether the loop runs as one round from the start. */
  readonly isOne: boolean;
  /**
   * Begins the single round and returns the target's value; `undefined` when items must run one by
   * one.
   */
  readonly begin: (items: readonly Value[]) => Value | undefined;
  /** Called when the round begun last has ended. */
  readonly end: () => void;
  /** Called when the single round has failed: it counts as not begun, and the loop is left out. */
  readonly abandon: () => void;
}

/** Extensions of the language by the embedding program. */
export interface Host {
  /** Names visible everywhere, looked up after the module's own. */
  readonly globals: ReadonlyMap<string, Value>;
  /** Module for `import a.b` or `from a.b import c`; `undefined` raises ModuleNotFoundError. */
  importModule?(name: string, span: Span, context: Context): Value | undefined;
  /** Value of an undefined name, for lenient readings; `undefined` raises NameError. */
  undefinedName?(name: string, span: Span, context: Context): Value | undefined;
  /** Value of an attribute that the text does not define; `undefined` raises AttributeError. */
  lackedAttribute?(value: InstanceValue, name: string): Value | undefined;
  /**
   * Called when a name is used that the text defines further down; it gets that value all the same.
   * For lenient readings of several files in one text; the host may report it.
   */
  readsLater?(name: string, span: Span, context: Context): void;
  /** Value called in place of a function of the text, e.g. after its registration. */
  standInFor?(callee: FunctionValue): Value | undefined;
  /** Whether a failing statement of a running function is left out, with a warning. */
  recovers?(frame: Frame): boolean;
  /**
   * Value of a name or attribute that a skipped statement would have set; the name is `return` for
   * its return value.
   *
   * @param before value until then
   */
  recovered?(name: string, before: Value | undefined, span: Span, context: Context): Value;
  /**
   * Called for an object that a skipped statement may have written into; its content is unknown.
   */
  changed?(value: Value, span: Span, context: Context): void;
  /**
   * Whether a value is unknown. Unknown decorators have no effect, and asserts on unknown values
   * are left out.
   */
  isUnknown?(value: Value): boolean;
  /**
   * Stand-in for an unknown base of a class.
   *
   * @param names what the body and the known bases bind
   * @param isAdded whether a known base of the host or of Python says how instances are made
   */
  unknownBase?(base: Value, names: ReadonlySet<string>, isAdded: boolean): ClassValue | undefined;
  /** Called for a class with an unknown decorator: its parameters and attributes are open. */
  opened?(type: ClassValue): void;
  /** Whether a diagnostic reports that something unknown had to be decided. */
  isUndecided?(diagnostic: Diagnostic): boolean;
  /** Called for each such diagnostic when it is reported, with the running frames. */
  onUndecided?(diagnostic: Diagnostic, frames: readonly Frame[]): void;
  /**
   * Called before an attribute of an instance is reassigned or deleted; a returned value is stored
   * instead.
   */
  onReplace?(replaced: Replacement, context: Context): Value | undefined;
  /** Called after each assignment to a simple name, in order. */
  onBind?(binding: Binding, context: Context): void;
  /**
   * Called after each assignment, `return` and expression statement of the text, with its value and
   * span.
   */
  onValue?(value: Value, span: Span): void;
  /**
   * Called when a `def` or `class` statement made its value (after decorators); comments above it
   * are in `context.source`. A returned value is bound instead.
   */
  onDefine?(value: Value, span: Span, context: Context): Value | undefined;
  /** Called with a `for` loop's first item; the returned watch observes the first round. */
  onLoop?(first: Value, span: Span, context: Context): LoopWatch | undefined;
  /**
   * Called when a `for` or `while` loop begins. The returned function is called after each round
   * and tells whether to stop, since a further round would only repeat known work.
   */
  loopEnds?(span: Span, context: Context): () => boolean;
  /** Called once after the last statement: the host may draw functions that the text never called. */
  onEnd?(
    globals: ReadonlyMap<string, Value>,
    context: Context,
    /** Value of the last top-level expression statement. */
    value: Value | undefined,
  ): void;
}
