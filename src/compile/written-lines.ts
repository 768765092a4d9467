import type { Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Document, ProgramLines } from "#language/document";
import type { PlanLine, WrittenLines } from "./compiled.ts";

/** What the lines of a document made, and which of them say how it is split. */
export function writtenLines(
  { requests, strategyCalls }: Pick<Document, "requests" | "strategyCalls">,
  lines: ProgramLines,
): WrittenLines {
  const found = new Map<string, Line>();
  const lineOf = (span: Span): Line => {
    const key = `${span.from} ${span.to}`;
    const line = found.get(key) ?? { span, operators: [], tensors: [] };
    found.set(key, line);
    return line;
  };
  for (const [id, { span }] of requests.operators)
    if (span !== undefined) lineOf(strategyCalls.get(id)?.span ?? span).operators.push(id);
  for (const [id, { span }] of requests.placements)
    if (span !== undefined) lineOf(span).tensors.push(id);
  return { ...lines, plan: [...found.values()] };
}

interface Line extends PlanLine {
  readonly operators: OperatorId[];
  readonly tensors: TensorId[];
}
