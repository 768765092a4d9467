import type { Diagnostic, Span } from "#core/diagnostics";

/** What came of something that ran beside the program. */
export type Apart<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: Diagnostic | undefined };

/**
 * What a host function may do while it runs. The types of values are parameters, since they name this
 * one in turn: value.ts fills them in.
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
