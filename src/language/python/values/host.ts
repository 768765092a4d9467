import type { Diagnostic, Span } from "#core/diagnostics";
import type { SpanTree } from "./tree.ts";
import type { ClassValue, Context, Frame, FunctionValue, InstanceValue, Value } from "./value.ts";

export type { SpanTree } from "./tree.ts";
export type { Argument, Context, Frame } from "./value.ts";

/** An assignment of a value to a simple name (`x = …`, also each name of an unpacking). */
export interface Binding {
  readonly name: string;
  readonly value: Value;
  readonly span: Span;
  readonly frames: readonly Frame[];
  /** The spans of the assigned expression and its items, for a plain `x = …`. */
  readonly tree?: SpanTree;
}

/** The value of an instance's attribute before it is assigned anew or deleted. */
export interface Replacement {
  readonly owner: InstanceValue;
  readonly name: string;
  readonly before: Value;
  /** The new value, or the same after `a.name += b`; absent where the attribute is deleted. */
  readonly after?: Value;
  readonly span: Span;
}

/**
 * A `for` loop in its first round. The host may throw `signal` out of it: then that round counts as
 * not begun, and one round runs for all items together.
 */
export interface LoopWatch {
  readonly signal: Error;
  /** Whether the loop is one round from the start. */
  readonly isOne: boolean;
  /** Begins the one round: what the target is bound to; `undefined` where it has to be one by one. */
  readonly begin: (items: readonly Value[]) => Value | undefined;
  /** The round that began last has ended. */
  readonly end: () => void;
  /** The one round for all items has failed: it counts as not begun, and the loop is left out. */
  readonly abandon: () => void;
}

/** What the embedding program adds to the language. */
export interface Host {
  /** Names visible everywhere, behind the module's own. */
  readonly globals: ReadonlyMap<string, Value>;
  /** The module of `import a.b` / `from a.b import c`; `undefined` raises ModuleNotFoundError. */
  importModule?(name: string, span: Span, context: Context): Value | undefined;
  /** The value of an undefined name, for lenient readings; `undefined` raises NameError. */
  undefinedName?(name: string, span: Span, context: Context): Value | undefined;
  /** What an object has under a name that the text does not give it; absent raises AttributeError. */
  lackedAttribute?(value: InstanceValue, name: string): Value | undefined;
  /**
   * Called for the use of a name that the text defines only further down; the name then has that
   * value all the same. For lenient readings of several files in one text; the host may report it.
   */
  readsLater?(name: string, span: Span, context: Context): void;
  /** The value that is called in place of a function of the text, e.g. after it was registered. */
  standInFor?(callee: FunctionValue): Value | undefined;
  /** Whether a statement that fails in a running function is left out, with a warning. */
  recovers?(frame: Frame): boolean;
  /**
   * The value of a name or attribute that a left-out statement would have set, or `return` of what
   * it would have returned.
   *
   * @param before what it held until then
   */
  recovered?(name: string, before: Value | undefined, span: Span, context: Context): Value;
  /** Called of what a left-out statement may have written into: what it holds is unknown. */
  changed?(value: Value, span: Span, context: Context): void;
  /**
   * Whether a value is unknown: unknown decorators do nothing, and asserts on unknown values are
   * left out.
   */
  isUnknown?(value: Value): boolean;
  /**
   * The class that stands for an unknown base of a class without known bases, whose body has those
   * names.
   */
  unknownBase?(base: Value, names: ReadonlySet<string>): ClassValue | undefined;
  /** Called of a class that an unknown decorator was to change: what it takes and has is open. */
  opened?(type: ClassValue): void;
  /** Whether a diagnostic says that something unknown had to be decided. */
  isUndecided?(diagnostic: Diagnostic): boolean;
  /** Called of each such diagnostic when it is reported, with the calls that run. */
  onUndecided?(diagnostic: Diagnostic, frames: readonly Frame[]): void;
  /** Called before an attribute of an instance is assigned anew or deleted. */
  onReplace?(replaced: Replacement, context: Context): Value | undefined;
  /** Called after each assignment to a simple name, in order. */
  onBind?(binding: Binding, context: Context): void;
  /**
   * Called after each assignment, `return` and expression statement of the text: what it has bound,
   * returned or come to, and the place of the statement.
   */
  onValue?(value: Value, span: Span): void;
  /**
   * Called when a `def` or `class` statement has made its value (after its decorators); comments
   * above are in `context.source`. A value that it returns is bound in place of the made one.
   */
  onDefine?(value: Value, span: Span, context: Context): Value | undefined;
  /** Called when a `for` loop has its first item; what it returns watches the first round. */
  onLoop?(first: Value, span: Span, context: Context): LoopWatch | undefined;
  /**
   * Called when a `for` or `while` loop begins. The returned function is asked after each round
   * whether the loop is over, since a further round would only repeat known work.
   */
  loopEnds?(span: Span, context: Context): () => boolean;
  /** Called once after the last statement: the host may draw functions that the text never called. */
  onEnd?(
    globals: ReadonlyMap<string, Value>,
    context: Context,
    /** The value of the last expression statement at top level. */
    value: Value | undefined,
  ): void;
}
