import { greatestCommonDivisor } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { Trace, TracedOperator } from "#language/document/trace";
import { primitiveName } from "../emitted/primitive-name.ts";
import { isSemiAuto, parallelSetting } from "./parallel-mode.ts";

/**
 * Errors for operators that MindSpore 2.10 refuses because of its own default strategy or of their
 * shape: the first of each kind.
 */
export function refusedDefaults(trace: Trace, devices: number): readonly Diagnostic[] {
  if (!isSemiAuto(trace) || parallelSetting(trace)?.devices === undefined) return [];
  return [splitsNorm, splitsPadding, squeezesLong].flatMap((faultOf) => {
    for (const traced of trace.operators) {
      const fault = faultOf(traced, devices);
      if (fault !== undefined) return [refusal(traced, fault)];
    }
    return [];
  });
}

function refusal(traced: TracedOperator, fault: string): Diagnostic {
  const message = `MindSpore 2.10 refuses "${primitiveName(traced)}": ${fault} (operator init failed)`;
  const [code, severity] = ["mindspore/strategy-refused", "error"] as const;
  return { code, severity, message, upstream: "RuntimeError", span: traced.span };
}

/** Whether MindSpore cuts dim 0 of an operator that has no strategy. */
function cutsRows({ strategy, inputs: [x] }: TracedOperator, devices: number): boolean {
  const rows = x?.kind === "tensor" ? x.shape?.[0] : undefined;
  return (
    strategy === undefined && typeof rows === "number" && greatestCommonDivisor(rows, devices) > 1
  );
}

/**
 * The fault of a LayerNorm that normalises from dim 0 on, or of a norm whose weights include dim 0.
 */
function splitsNorm(traced: TracedOperator, devices: number): string | undefined {
  const [x, gamma] = traced.inputs;
  if (x?.kind !== "tensor" || gamma?.kind !== "tensor" || !cutsRows(traced, devices))
    return undefined;
  const op = primitiveName(traced);
  const rank = x.shape?.length ?? 0;
  const { begin_norm_axis: begin = 1 } = traced.primitive?.arguments ?? {};
  const isFirst = op === "LayerNorm" && (begin === 0 || (rank === 1 && begin === -1));
  const isWeighted = /^(Layer|Rms)Norm$/u.test(op) && gamma.shape?.length === rank && rank > 0;
  return isFirst || isWeighted
    ? "without a strategy it cuts dim 0 of the input, which this normalises or has weights for"
    : undefined;
}

/** The fault of a PadV3 that pads dim 0; if it pads all dims, it stays whole and has none. */
function splitsPadding(traced: TracedOperator, devices: number): string | undefined {
  const [x] = traced.inputs;
  if (primitiveName(traced) !== "PadV3" || x?.kind !== "tensor") return undefined;
  const { paddings } = traced.primitive?.arguments ?? {};
  const rank = x.shape?.length ?? 0;
  if (!Array.isArray(paddings) || !cutsRows(traced, devices)) return undefined;
  const isPadded = (dim: number) =>
    [2 * (rank - 1 - dim), 2 * (rank - 1 - dim) + 1].some((at) => (paddings[at] ?? 0) !== 0);
  const padded = Array.from({ length: rank }, (_, dim) => isPadded(dim));
  return padded[0] === true && padded.includes(false)
    ? "without a strategy it cuts dim 0 of the input, which is padded: give it one that leaves dim 0 whole"
    : undefined;
}

/** The fault of a Squeeze on a dim that is longer than 1. */
function squeezesLong(traced: TracedOperator): string | undefined {
  const [x] = traced.inputs;
  const { axis } = traced.primitive?.arguments ?? {};
  if (primitiveName(traced) !== "Squeeze" || x?.kind !== "tensor") return undefined;
  const shape = x.shape ?? [];
  const long = [axis].flat().find((dim) => {
    const size = typeof dim === "number" ? shape.at(dim) : undefined;
    return typeof size === "number" && size !== 1;
  });
  return long === undefined
    ? undefined
    : `dim ${String(long)} of its input has ${String(shape.at(Number(long)))} elements, and only a dim of 1 can be squeezed`;
}
