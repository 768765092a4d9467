import type { Trace } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";

const views: ReadonlySet<string> = new Set([
  ...["reshape", "flatten", "squeeze", "unsqueeze", "permute", "transpose", "expand"],
  ...["identity", "split", "chunk", "slice", "select"],
]);

/** Whether the results of an operator may share their elements with its first operand. */
function isView({ entry, op }: TracedOperator): boolean {
  return entry !== undefined && views.has(entry) && op !== "clone";
}

/**
 * The other tensors that may share elements with a tensor: the one it is a view of, and all views
 * of that one.
 */
export function aliasesOf(tensor: TracedTensor, trace: Trace): ReadonlySet<TracedTensor> {
  let root = tensor;
  for (let made = root.producer; made !== undefined && isView(made); made = root.producer) {
    const [source] = made.inputs;
    if (source?.kind !== "tensor") break;
    root = source;
  }
  const aliases = new Set([root]);
  for (const operator of trace.operators) {
    const [source] = operator.inputs;
    if (source?.kind !== "tensor" || !aliases.has(source) || !isView(operator)) continue;
    for (const output of operator.outputs) aliases.add(output);
  }
  aliases.delete(tensor);
  return aliases;
}
