import { fieldOf } from "#core/records";
import type { Trace } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/** Operators with further results, and those that make their first one alone. */
const firstAlone: Readonly<Record<string, string>> = {
  layer_norm_with_moments: "layer_norm",
  rms_norm_with_root: "rms_norm",
  dropout_with_mask: "dropout",
};

/**
 * Takes moments and masks out of a program that neither reads nor names them: some primitives
 * give them with every call. A name that begins with `_` is none.
 */
export function dropUnreadResults(trace: Trace): void {
  const several = trace.operators.filter(({ entry = "" }) => Object.hasOwn(firstAlone, entry));
  if (several.length === 0) return;
  const read = new Set(trace.operators.flatMap(({ inputs }) => inputs));
  const isWanted = (tensor: TracedTensor) =>
    read.has(tensor) || (tensor.name !== undefined && !tensor.name.text.startsWith("_"));
  const gone = new Set<TracedTensor>();
  for (const operator of several) {
    const [first, ...further] = operator.outputs;
    // Without moments there is no norm over other dims than the weight has.
    const isOwn = operator.attributes?.begin_norm_axis !== undefined;
    if (first === undefined || isOwn || further.some(isWanted)) continue;
    makeFirstAlone(operator, first);
    for (const tensor of further) gone.add(tensor);
  }
  const left = trace.tensors.filter((tensor) => !gone.has(tensor));
  trace.tensors.splice(0, trace.tensors.length, ...left);
}

function makeFirstAlone(operator: TracedOperator, first: TracedTensor): void {
  operator.entry = fieldOf(firstAlone, operator.entry ?? "") ?? "";
  operator.annotations = operator.annotations.map((annotation) => {
    const [inputs = "", results = ""] = annotation.text.split("->");
    return { ...annotation, text: `${inputs}->${results.split(",")[0] ?? ""}` };
  });
  operator.bound = undefined;
  operator.outputs = [first];
}
