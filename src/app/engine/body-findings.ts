import type { Diagnostic } from "#core/diagnostics";
import { checkBodies } from "#execute/verify";
import { bodyDiagnostics } from "#language/document/graph";
import { readDocument } from "#systems";

/** What running the bodies of a text's registered functions says against their annotations. */
export function bodyFindings(source: string): readonly Diagnostic[] {
  const document = readDocument(source);
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}
