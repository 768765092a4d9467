import type { Diagnostic } from "#core/diagnostics";

/**
 * Reason why an annotation does not fit its arguments.
 *
 * `stops` marks an error that upstream raises at once; otherwise upstream tries the next candidate.
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
