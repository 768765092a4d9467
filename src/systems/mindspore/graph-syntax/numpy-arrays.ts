import type { Trace, TracedOperator, TracedTensor } from "#language/document/trace";
import type { SyntaxFault } from "./syntax-faults.ts";

/** Matches a numpy call that returns an array; numpy's scalar types are excluded. */
const ofNumpy = /^(?:np|numpy)\.(?!(?:u?int|float|bool|complex)\w*\()/u;

/**
 * The operators of nets that compute with numpy arrays as if they were tensors. MindSpore runs such
 * operators in Python, and under a parallel mode its compiler fails there.
 */
export function arrayFaults(
  { operators, moduleOf }: Pick<Trace, "operators" | "moduleOf">,
  source: string,
): readonly SyntaxFault[] {
  if (!/\b(?:np|numpy)\./u.test(source)) return [];
  const isArray = (input: TracedOperator["inputs"][number]): input is TracedTensor =>
    input.kind === "tensor" &&
    input.hasData !== true &&
    input.role !== "parameter" &&
    input.fed === undefined &&
    // An item of an array is a number, which Python handles.
    input.producer?.op !== "select" &&
    ofNumpy.test(textAt(source, input.producer ?? input));
  return operators.flatMap((traced) => {
    // Python runs the constructors of cells.
    if (traced.frames.some(({ callee }) => callee.name === "__init__")) return [];
    if (moduleOf?.(traced)?.called === undefined || ofNumpy.test(textAt(source, traced))) return [];
    if (traced.op === "select" || !traced.inputs.some(isArray)) return [];
    const message =
      "a graph of MindSpore computes with tensors, not with arrays of numpy: make a Tensor of it";
    return [{ message, upstream: "RuntimeError", span: traced.span }];
  });
}

function textAt(source: string, { span }: Pick<TracedOperator, "span">): string {
  return source.slice(span.from, span.to);
}
