import { type Diagnostic, type Fix, positionAt } from "#core/diagnostics";
import type { Answer, Arguments } from "./commands/answer.ts";
import { requestTexts } from "./commands/loom-request.ts";

/** A diagnostic as it leaves: offsets, and line and column counted from 1. */
export interface PlainDiagnostic {
  readonly code: string;
  readonly severity: Diagnostic["severity"];
  readonly message: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  /** Where the places are those of the plan beside a LoomGraph. */
  readonly text?: "plan";
  readonly upstream?: string;
  readonly fixes?: readonly Fix[];
}

/** An answer as it leaves: plain JSON. */
export interface PlainAnswer {
  readonly ok: boolean;
  readonly diagnostics: readonly PlainDiagnostic[];
  readonly [key: string]: unknown;
}

/** The answer with the places of its diagnostics in the text of the request. */
export function plainAnswer(answer: Answer, args: Arguments): PlainAnswer {
  const text = textOf(args);
  const { planText: plan = "" } = requestTexts(args);
  const diagnostics = answer.diagnostics.map((each) =>
    plainDiagnostic(each, each.text === "plan" ? plan : text),
  );
  return { ...answer, diagnostics };
}

function plainDiagnostic(diagnostic: Diagnostic, source: string): PlainDiagnostic {
  const { code, severity, message, text, upstream, fixes } = diagnostic;
  const { from, to } = diagnostic.span ?? { from: 0, to: 0 };
  return {
    code,
    severity,
    message,
    from,
    to,
    ...positionAt(source, from),
    ...(text !== undefined && { text }),
    ...(upstream !== undefined && { upstream }),
    ...(fixes !== undefined && { fixes }),
  };
}

/** The text in which spans count: the program, or the annotation, or the first of several. */
function textOf(args: Arguments): string {
  const { program, annotation, annotations } = args;
  const first: unknown = Array.isArray(annotations) ? annotations[0] : undefined;
  return [program, annotation, first].find((each) => typeof each === "string") ?? "";
}
