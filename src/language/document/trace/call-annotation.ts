// The annotations of a call: the one that is read, its binding, and the ranks that it implies.

import { hasErrors } from "#core/diagnostics";
import type { Bound, OpAnno } from "#core/dimops";
import type { Context } from "#language/python";
import type { Signatures } from "./memory.ts";
import type { OperatorCall } from "./operator-call.ts";
import { openShape } from "./size.ts";
import { annotatedRank } from "./symbolic.ts";
import { argumentsOf, kwargsOf, placed } from "./traced-call.ts";

/** The first candidate that is an annotation at all; none: its faults, at their places. */
export function readAnnotation(
  signatures: Signatures,
  call: OperatorCall,
  context: Context,
): OpAnno {
  for (const { text } of call.annotations) {
    const read = signatures.parse(text);
    if (read.ok) return read.value;
  }
  const [first] = call.annotations;
  const faults = first === undefined ? [] : signatures.parse(first.text).diagnostics;
  for (const fault of faults) context.report(placed(fault, first?.span, call.span));
  const worst = hasErrors(faults) ? faults.find(({ severity }) => severity === "error") : undefined;
  return context.raise(
    worst?.upstream ?? "ValueError",
    `the annotation "${first?.text ?? ""}" of "${call.op}" cannot be read`,
    call.span,
  );
}

/** The call bound where all sizes are known and it fits. */
export function boundExactly(signatures: Signatures, call: OperatorCall): Bound | undefined {
  const inputs = argumentsOf(call.inputs);
  const kwargs = kwargsOf(call);
  if (inputs === undefined || kwargs === undefined) return undefined;
  return signatures.bind(
    call.annotations.map(({ text }) => text),
    inputs,
    kwargs,
  );
}

/** Tensors without a rank get the annotation's. */
export function giveRanks(annotation: OpAnno, call: OperatorCall): void {
  for (const [index, operand] of call.inputs.entries()) {
    const shape = annotation.inputs[index];
    if (operand.kind !== "tensor" || operand.shape !== undefined || shape === undefined) continue;
    const known = call.inputs.map((input) => (input.kind === "tensor" ? input.shape : undefined));
    const rank = annotatedRank(shape, annotation, known);
    operand.shape = openShape(operand, rank);
    operand.shapeStatus = "assumed";
  }
}
