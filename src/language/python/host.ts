import type { Diagnostic, Span } from "#core/diagnostics";
import type { Value } from "./value.ts";

/**
 * The shape of an expression's text: `(4, 1)` has kind "tuple" and two items with their own spans.
 *
 * Items of a "call" are its arguments, of a "dict" its values; `key` is a keyword's name or a dict
 * key that is a plain string. `name` is the text of a "name" or of a call's dotted callee.
 */
export interface SpanTree {
  readonly kind: "tuple" | "list" | "dict" | "call" | "name" | "literal" | "other";
  readonly span: Span;
  readonly items: readonly SpanTree[];
  readonly name?: string;
  readonly key?: string;
  readonly keySpan?: Span;
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
  readonly callee: object;
  /** 0 for the first call of this callee in this evaluation, 1 for the second, … */
  readonly ordinal: number;
  readonly callSpan: Span;
  /** The receiver of a method call, when there is one. */
  readonly receiver?: Value;
}

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
  /** Runs something; a Python exception becomes a diagnostic and the answer `undefined`. */
  attempt<T>(action: () => T): T | undefined;
  readonly frames: readonly Frame[];
  /** The text that is evaluated. */
  readonly source: string;
}

/** An assignment of a value to a simple name (`x = …`, also each name of an unpacking). */
export interface Binding {
  readonly name: string;
  readonly value: Value;
  readonly span: Span;
  readonly frames: readonly Frame[];
  /** The shape of the assigned expression's text, for a plain `x = …`. */
  readonly tree?: SpanTree;
}

/** What the program that embeds the evaluator adds to the language. */
export interface Host {
  /** Names visible everywhere, behind the module's own. */
  readonly globals: ReadonlyMap<string, Value>;
  /** The module of `import a.b` / `from a.b import c`; `undefined` raises ModuleNotFoundError. */
  importModule?(name: string, span: Span, context: Context): Value | undefined;
  /** A lenient reading of an undefined name; `undefined` raises NameError. */
  undefinedName?(name: string, span: Span, context: Context): Value | undefined;
  /** Called after each assignment to a simple name, in order. */
  onBind?(binding: Binding, context: Context): void;
  /**
   * Called when a `def` or `class` statement has made its value (after its decorators); comments
   * above are in `context.source`. A value that it returns is bound in place of the made one.
   */
  onDefine?(value: Value, span: Span, context: Context): Value | undefined;
  /** Called once after the last statement, to draw what was never called. */
  onEnd?(
    globals: ReadonlyMap<string, Value>,
    context: Context,
    /** Of the last expression statement at top level. */
    value: Value | undefined,
  ): void;
}
