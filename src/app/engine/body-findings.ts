import type { Diagnostic } from "#core/diagnostics";
import { checkBodies } from "#execute/verify";
import { bodyDiagnostics } from "#language/document/graph";
import { readDocument } from "#systems";

/**
 * Contradictions between registered functions and their annotations, found by running the bodies.
 */
export function bodyFindings(source: string): readonly Diagnostic[] {
  const document = readDocument(source);
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}
