import type { Diagnostic } from "#core/diagnostics";

/**
 * Why an annotation does not fit what it is given.
 *
 * `stops` tells an error that upstream raises at once from a candidate that merely does not match,
 * behind which it tries the next one.
 */
export interface Fault {
  readonly diagnostic: Diagnostic;
  readonly stops: boolean;
}

/** A fault that lets the next candidate be tried; without one upstream raises RuntimeError. */
export function mismatch(diagnostic: Omit<Diagnostic, "severity" | "upstream">): Fault {
  const fault = { ...diagnostic, severity: "error", upstream: "RuntimeError" } as const;
  return { diagnostic: fault, stops: false };
}

/** A fault that upstream raises at once. */
export function raised(upstream: string, diagnostic: Omit<Diagnostic, "severity">): Fault {
  return { diagnostic: { ...diagnostic, severity: "error", upstream }, stops: true };
}
