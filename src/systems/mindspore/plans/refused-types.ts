import type { Diagnostic } from "#core/diagnostics";
import type { DType } from "#core/ir";
import { longDType } from "#language/document/bindings/types";
import type { Trace, TracedOperator } from "#language/document/trace";
import { isTypeGuessed, signFault } from "../bindings/result-types.ts";
import { type PlacedOperator, placedOperators } from "../emitted/placed-operators.ts";
import { primitiveName } from "../emitted/primitive-name.ts";
import { parallelSetting, searching } from "./parallel-mode.ts";

/** Data types that an AllReduce of MindSpore 2.10 accepts, as its compiler lists them. */
const summed: ReadonlySet<DType> = new Set([
  ...(["bf16", "f16", "f32", "bool", "i8", "i16", "i32", "i64"] as const),
]);

/**
 * Errors for data types that MindSpore 2.10 refuses without a call that names the primitive:
 * operands of Python operators, and results that are all-reduced.
 */
export function refusedTypes(trace: Trace, devices: number): readonly Diagnostic[] {
  const ofSigns = trace.operators.flatMap((traced) =>
    traced.primitive === undefined ? refusal(signFault(primitiveName(traced), traced), traced) : [],
  );
  const isSplit = parallelSetting(trace) !== undefined && devices > 1;
  if (ofSigns.length > 0 || !isSplit || searching(trace) !== undefined) return ofSigns;
  return placedOperators(trace, devices, 0).flatMap((each) => refusal(sumFault(each), each.traced));
}

function refusal(fault: string | undefined, { span }: TracedOperator): readonly Diagnostic[] {
  if (fault === undefined) return [];
  const [code, severity] = ["mindspore/strategy-refused", "error"] as const;
  return [{ code, severity, message: `MindSpore 2.10: ${fault}`, upstream: "TypeError", span }];
}

/**
 * The fault of an all-reduced type. A mean over devices is an all-reduced sum followed by RealDiv,
 * which refuses bool.
 */
function sumFault({ traced, op, model }: PlacedOperator): string | undefined {
  if (model?.forward.some(({ primitive }) => primitive === "AllReduce") !== true) return undefined;
  const isMean = /^(ReduceMean|MeanExt)$/u.test(op);
  const [read] = traced.inputs;
  const tensor = isMean && read?.kind === "tensor" ? read : traced.outputs[0];
  if (tensor === undefined || isTypeGuessed(tensor)) return undefined;
  const type = longDType(tensor.dtype);
  if (isMean && tensor.dtype === "bool")
    return `"${op}" is divided behind the AllReduce of its parts, and RealDiv does not take ${type}`;
  return summed.has(tensor.dtype)
    ? undefined
    : `what "${op}" leaves on each device goes through an AllReduce, which does not take ${type}`;
}
