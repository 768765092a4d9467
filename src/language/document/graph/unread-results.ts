import { fieldOf } from "#core/records";
import type { Trace } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

/** Entries with extra results, and the entry with the first result alone. */
const firstAlone: Readonly<Record<string, string>> = {
  layer_norm_with_moments: "layer_norm",
  rms_norm_with_root: "rms_norm",
  dropout_with_mask: "dropout",
};

/**
 * Removes unread and unnamed moments and masks, which some primitives return with every call. A
 * name that begins with `_` does not count.
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
    // The plain norm always normalises the weight's dims, so an explicit `begin_norm_axis` needs
    // the entry with moments.
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
