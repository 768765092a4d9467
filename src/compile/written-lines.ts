import type { Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Document, ProgramLines } from "#language/document";
import type { PlanLine, WrittenLines } from "./compiled.ts";

/** Values made by each line of a document, and the lines that set the plan. */
export function writtenLines(
  { requests, strategyCalls }: Pick<Document, "requests" | "strategyCalls">,
  lines: ProgramLines,
): WrittenLines {
  const found = new Map<string, Line>();
  // Lists are created with one entry: most lines split a single operator or tensor, and an empty
  // list reserves room for many once it grows.
  const note = (span: Span, { operator, tensor }: Split) => {
    const key = `${span.from} ${span.to}`;
    const line = found.get(key);
    if (line === undefined) {
      const operators = operator === undefined ? [] : [operator];
      const tensors = tensor === undefined ? [] : [tensor];
      found.set(key, { span, operators, tensors });
    } else if (operator !== undefined) line.operators.push(operator);
    else if (tensor !== undefined) line.tensors.push(tensor);
  };
  for (const [operator, { span }] of requests.operators)
    if (span !== undefined) note(strategyCalls.get(operator)?.span ?? span, { operator });
  for (const [tensor, { span }] of requests.placements)
    if (span !== undefined) note(span, { tensor });
  return { ...lines, plan: [...found.values()] };
}

/** The operator or tensor that a line splits. */
interface Split {
  readonly operator?: OperatorId;
  readonly tensor?: TensorId;
}

interface Line extends PlanLine {
  readonly operators: OperatorId[];
  readonly tensors: TensorId[];
}
