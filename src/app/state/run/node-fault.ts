import type { Diagnostic } from "#core/diagnostics";

/** What is wrong with something that is drawn. */
export type NodeFault = Pick<Diagnostic, "severity" | "message">;
