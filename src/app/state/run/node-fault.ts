import type { Diagnostic } from "#core/diagnostics";

/** The diagnostic of a drawn element. */
export type NodeFault = Pick<Diagnostic, "severity" | "message">;
