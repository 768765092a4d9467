import type { Diagnostic, Span } from "#core/diagnostics";
import type { InstanceValue } from "./value.ts";

/** A Python exception that propagates; not a JavaScript Error, so it has no stack trace. */
export class Raised {
  readonly exception: InstanceValue;
  /** Span where it was raised. */
  span: Span;
  readonly calls: { readonly message: string; readonly span: Span }[] = [];
  readonly extra: Partial<Diagnostic>;
  /** Whether the text raised it by `raise` or `assert`. */
  isOfText = false;
  constructor(exception: InstanceValue, span: Span, extra: Partial<Diagnostic> = {}) {
    this.exception = exception;
    this.span = span;
    this.extra = extra;
  }
}

/** Signal of a limit or an unsupported feature; no `except` of the text catches it. */
export class Halted {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly span: Span;
  readonly upstream: string | undefined;
  /** Whether the whole evaluation ends, so that no later statement runs. */
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

/** Thrown when a value is used whose statement failed; silently ends the using statement. */
export class PoisonedValueUsed {}
