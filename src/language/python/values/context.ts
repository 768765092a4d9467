import type { Diagnostic, Span } from "#core/diagnostics";

/** Outcome of code that ran apart from the program. */
export type Apart<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Diagnostic | undefined };

/**
 * Services that a host function may use while it runs. The value types are parameters because they
 * refer to this type in turn; value.ts fills them in.
 */
export interface ContextOver<Value, Argument, Frame> {
  /** Calls any callable value, as Python would. */
  call(callee: Value, args: readonly Argument[], span: Span): Value;
  getAttribute(value: Value, name: string, span: Span): Value;
  setAttribute(value: Value, name: string, to: Value, span: Span): void;
  /** Iterates as a `for` loop would, within the limits. */
  iterate(value: Value, span: Span): readonly Value[];
  /** `str(value)`. */
  text(value: Value): string;
  /** Ends the statement with a Python exception of this kind at a span. Never returns. */
  raise(kind: string, message: string, span: Span, extra?: Partial<Diagnostic>): never;
  /** Adds a diagnostic (a warning, an assumption) and continues. */
  report(diagnostic: Diagnostic): void;
  /**
   * Ends the statement with a diagnostic because the host lacks a value: the names it sets become
   * unknown. No `except` of the text catches this. Never returns.
   */
  leaveOut(diagnostic: Diagnostic): never;
  /**
   * Runs an action. A Python exception becomes a diagnostic, unless the action `isQuiet`, and the
   * result `undefined`.
   *
   * @param options.onFault receives the fault of a quiet action
   * @param options.assumes what the action assumes beyond the text; then its fault is a warning
   * that says so
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
   * Runs an action apart from the program, even after its end. It has its own budget of steps, and
   * its reports are dropped. Returns the value, or the fault that ended the action.
   */
  apart<T>(action: () => T, steps: number): Apart<T>;
  /** Names of a host module written in Python; its imports are those of the text. */
  library(home: string, text: string): ReadonlyMap<string, Value>;
  /**
   * Whether exceptions behave as in Python: the text catches them around the running code, as in
   * `try: import … except ImportError`, or the evaluation is strict.
   */
  readonly isGuarded: boolean;
  /**
   * Module-level value that the text gives a name, even further down; `undefined` if its definition
   * failed.
   */
  ownName(name: string): Value | undefined;
  readonly frames: readonly Frame[];
  /** Text being evaluated. */
  readonly source: string;
}
