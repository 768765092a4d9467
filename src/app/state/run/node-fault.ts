import type { Diagnostic } from "#core/diagnostics";

/** The fault of a drawn element. */
export type NodeFault = Pick<Diagnostic, "severity" | "message">;
