import type { Diagnostic, Span } from "#core/diagnostics";
import type { InstanceValue } from "./value.ts";

/** A Python exception on its way up; not an error of ours, so it carries no stack. */
export class Raised {
  readonly exception: InstanceValue;
  /** Where in the text it was raised. */
  span: Span;
  readonly calls: { readonly message: string; readonly span: Span }[] = [];
  readonly extra: Partial<Diagnostic>;
  /** Whether a `raise` or an `assert` of the text raised it. */
  isOfText = false;
  constructor(exception: InstanceValue, span: Span, extra: Partial<Diagnostic> = {}) {
    this.exception = exception;
    this.span = span;
    this.extra = extra;
  }
}

/** A limit of the evaluator, or something that it lacks: no `except` of the text catches it. */
export class Halted {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly span: Span;
  readonly upstream: string | undefined;
  /** Whether later statements may still run. */
  readonly isFinal: boolean;
  constructor(
    code: DiagnosticCode,
    message: string,
    span: Span,
    options: { upstream?: string; isFinal: boolean },
  ) {
    this.code = code;
    this.message = message;
    this.span = span;
    this.upstream = options.upstream;
    this.isFinal = options.isFinal;
  }
}

/** A value was used whose statement had already failed: ends the using statement in silence. */
export class PoisonedValueUsed {}
