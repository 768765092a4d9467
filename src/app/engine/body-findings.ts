import type { Diagnostic } from "#core/diagnostics";
import { checkBodies } from "#execute/verify";
import { bodyDiagnostics } from "#language/document";
import { readDocument } from "#systems";
import type { BodyAnswer, BodyQuestion } from "./run-protocol.ts";

/** What running the bodies of a text's registered functions says; a thrown fault becomes `failed`. */
export function answerBodies({ id, source }: BodyQuestion): BodyAnswer {
  try {
    return { kind: "checked", id, findings: findingsOf(source) };
  } catch (fault) {
    return { kind: "failed", id, message: fault instanceof Error ? fault.message : String(fault) };
  }
}

function findingsOf(source: string): readonly Diagnostic[] {
  const document = readDocument(source);
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}
