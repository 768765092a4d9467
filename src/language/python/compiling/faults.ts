import type { Diagnostic } from "#core/diagnostics";
import type { Runtime } from "../values/runtime.ts";
import { Halted, PoisonedValueUsed, Raised } from "../values/signals.ts";
import { exceptionText } from "../values/text.ts";

/** Diagnostic of a signal that ended a statement, and whether evaluation ends. */
export interface Fault {
  /** Absent when the use of an unknown value silently ended the statement. */
  readonly diagnostic?: Diagnostic;
  readonly isFinal: boolean;
}

/** Fault for a thrown signal; internal errors are rethrown. */
export function faultOf(rt: Runtime, signal: unknown): Fault {
  if (signal instanceof PoisonedValueUsed) return { isFinal: false };
  if (signal instanceof Raised) {
    return { diagnostic: placed(rt, raisedDiagnostic(rt, signal)), isFinal: false };
  }
  if (signal instanceof Halted) {
    return { diagnostic: placed(rt, haltedDiagnostic(signal)), isFinal: signal.isFinal };
  }
  if (signal instanceof RangeError && /call stack|recursion/i.test(signal.message)) {
    const halted = new Halted("python/limit-depth", "maximum recursion depth exceeded", rt.at, {
      upstream: "RecursionError",
      isFinal: false,
    });
    return { diagnostic: haltedDiagnostic(halted), isFinal: false };
  }
  throw signal;
}

/** Moves a fault inside library code to the text's last call. */
function placed(rt: Runtime, diagnostic: Diagnostic): Diagnostic {
  const isPlaced = diagnostic.span !== undefined && diagnostic.span.from >= 0;
  return isPlaced ? diagnostic : { ...diagnostic, span: rt.at };
}

function haltedDiagnostic({ code, message, span, upstream }: Halted): Diagnostic {
  const base = { code, severity: "error" as const, message, span };
  return upstream === undefined ? base : { ...base, upstream };
}

function raisedDiagnostic(rt: Runtime, signal: Raised): Diagnostic {
  const { exception, span, calls, extra } = signal;
  const kind = exception.type.name;
  const text = messageOf(rt, signal);
  return {
    code: `python/${kebab(kind)}`,
    severity: "error",
    message: text === "" ? kind : text,
    span,
    upstream: nearestBuiltin(rt, signal),
    ...(calls.length === 0 ? {} : { related: calls }),
    ...extra,
  };
}

/** Text of an exception; its own `__str__` may fail, then its class name. */
function messageOf(rt: Runtime, { exception, span }: Raised): string {
  try {
    return exceptionText(rt, exception, span);
  } catch (signal) {
    if (signal instanceof Raised || signal instanceof PoisonedValueUsed) return exception.type.name;
    if (signal instanceof Halted) return exception.type.name;
    throw signal;
  }
}

/** Nearest built-in base of an exception class. */
function nearestBuiltin(rt: Runtime, { exception }: Raised): string {
  const builtin = exception.type.mro.find((type) => rt.types.get(type.name) === type);
  const isBare = builtin === undefined || builtin.name === "object";
  return isBare ? exception.type.name : builtin.name;
}

/** `ZeroDivisionError` as `zero-division-error`. */
function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .replace(/[^A-Za-z0-9-]/g, "-")
    .toLowerCase();
}
