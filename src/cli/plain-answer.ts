import { type Diagnostic, type Fix, type Position, positionsIn } from "#core/diagnostics";
import type { Answer, Arguments } from "./commands/answer.ts";
import { requestTexts } from "./commands/graph-request.ts";
import { prepareRequest } from "./commands/published.ts";

/** A diagnostic as printed: offsets, and line and column counted from 1. */
export interface PlainDiagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Diagnostic["severity"];
  readonly message: string;
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
  /** Set when positions refer to the plan beside a graph. */
  readonly text?: "plan";
  readonly upstream?: string;
  readonly fixes?: readonly Fix[];
}

/** An answer as printed: plain JSON. */
export interface PlainAnswer {
  readonly ok: boolean;
  readonly diagnostics: readonly PlainDiagnostic[];
  readonly [key: string]: unknown;
}

/** Most diagnostics printed, and most characters of a message; a note says what is left out. */
const mostDiagnostics = 1_000;
const mostCharacters = 2_000;

/** The answer with line and column of its diagnostics in the request's text. */
export function plainAnswer(answer: Answer, args: Arguments): PlainAnswer {
  const { planText: plan = "" } = requestTexts(args);
  const [inText, inPlan] = [positionsIn(textOf(args)), positionsIn(plan)];
  const told = toldOf(answer.diagnostics);
  const diagnostics = told.map((each) =>
    plainDiagnostic(each, each.text === "plan" ? inPlan : inText),
  );
  return { ...answer, diagnostics };
}

/** The first diagnostics; if there are too many, errors come first. */
function toldOf(all: readonly Diagnostic[]): readonly Diagnostic[] {
  if (all.length <= mostDiagnostics) return all;
  const isError = ({ severity }: Diagnostic) => severity === "error";
  const ordered = [...all.filter(isError), ...all.filter((each) => !isError(each))];
  const more: Diagnostic = {
    code: "limits/more-diagnostics",
    severity: "info",
    message: `${all.length - mostDiagnostics} more diagnostics are not listed`,
  };
  return [...ordered.slice(0, mostDiagnostics), more];
}

function shortened(message: string): string {
  if (message.length <= mostCharacters) return message;
  const half = mostCharacters / 2;
  return `${message.slice(0, half)}…${message.slice(-half)}`;
}

function plainDiagnostic(
  diagnostic: Diagnostic,
  positionOf: (offset: number) => Position,
): PlainDiagnostic {
  const { code, severity, message, text, upstream, fixes } = diagnostic;
  const { from, to } = diagnostic.span ?? { from: 0, to: 0 };
  return {
    code,
    severity,
    message: shortened(message),
    from,
    to,
    ...positionOf(from),
    ...(text !== undefined && { text }),
    ...(upstream !== undefined && { upstream }),
    ...(fixes !== undefined && { fixes }),
  };
}

/**
 * The text to which spans refer: the program, possibly converted from a published file; else the
 * annotation, or the first of several.
 */
function textOf(args: Arguments): string {
  const { annotation, annotations } = args;
  const read = prepareRequest(args);
  const program = read.ok ? read.value.args.program : args.program;
  const first: unknown = Array.isArray(annotations) ? annotations[0] : undefined;
  return [program, annotation, first].find((each) => typeof each === "string") ?? "";
}
