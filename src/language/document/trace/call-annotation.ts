// Annotations of a call: parsing, exact binding, and the ranks they imply.

import { hasErrors } from "#core/diagnostics";
import type { Bound, OpAnno } from "#core/dimops";
import type { Context } from "#language/python";
import type { Signatures } from "./memory.ts";
import type { OperatorCall } from "./operator-call.ts";
import { openShape } from "./size.ts";
import { annotatedRank } from "./symbolic.ts";
import { argumentsOf, kwargsOf, placed } from "./traced-call.ts";

/**
 * First candidate that parses as an annotation. If none does, its faults are reported at their
 * spans and an exception is raised.
 */
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

/** Call bound exactly; `undefined` when a size is open or it does not fit. */
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

/** Gives tensors of unknown rank the annotation's rank. */
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
