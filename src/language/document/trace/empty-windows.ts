import type { Diagnostic } from "#core/diagnostics";
import { shapeOf } from "./bind-traced.ts";
import { followsAssumed } from "./follows.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** Operators that slide a window over an image: names of entries, or of functions of a library. */
const sliding = /^(?:conv|max_pool|avg_pool|lp_pool)\w*[123]d$/u;

/** Whether an operator slides a window over an image. */
export function hasWindow({
  entry,
  op,
  function: own,
}: Pick<TracedOperator, "entry" | "op" | "function">): boolean {
  return sliding.test(entry ?? (own === undefined ? op : ""));
}

/** Whether an operator's window is larger than its input, so that the result is empty. */
export function isEmptyWindow(operator: TracedOperator): boolean {
  const { inputs, outputs } = operator;
  const [image] = inputs;
  const [result] = outputs;
  if (
    !hasWindow(operator) ||
    image?.kind !== "tensor" ||
    image.isUnknown === true ||
    result === undefined
  )
    return false;
  return !shapeOf(image).includes(0) && shapeOf(result).includes(0);
}

/** Diagnostics for convolutions and pools whose window does not fit, which frameworks refuse. */
export function emptyWindows(
  operators: Iterable<TracedOperator>,
  names: ReadonlyMap<TracedTensor, string>,
): readonly Diagnostic[] {
  return [...operators].filter(isEmptyWindow).map((traced): Diagnostic => {
    const [image] = traced.inputs;
    const isAssumed = followsAssumed(traced.inputs);
    const sides = image?.kind === "tensor" ? shapeOf(image).slice(2).join(" × ") : "";
    const name = image?.kind === "tensor" ? (names.get(image) ?? traced.stem) : traced.stem;
    return {
      code: "document/empty-window",
      severity: isAssumed ? "warning" : "error",
      message: `the window of "${traced.op}" is larger than "${name}", which is ${sides}${isAssumed ? ", a size that is assumed" : ""}`,
      span: traced.span,
      upstream: "RuntimeError",
    };
  });
}
