// Parameters of equal experts, which a loop over all of them reads as one stack.

import { library } from "#core/ir";
import type { Trace } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";
import { tracedFrom } from "../trace/traced-call.ts";

/**
 * Replaces the parameters of equal experts by one tensor with the experts as its first dim. If some
 * are read one by one too, they stay and an operator stacks them. Replaced and unread tensors are
 * removed from the program.
 */
export function drawStacks(trace: Trace): void {
  if (trace.stacks.size + trace.filled.size === 0) return;
  const read = readIn(trace);
  const gone = new Set<TracedTensor>([...trace.filled].filter((each) => !read.has(each)));
  for (const [stack, members] of trace.stacks) {
    if (!read.has(stack) || trace.tensors.includes(stack)) continue;
    if (members.some((each) => read.has(each))) stackUp(stack, members, trace);
    else {
      const [first] = members;
      const at = first === undefined ? -1 : trace.tensors.indexOf(first);
      trace.tensors.splice(Math.max(0, at), 0, stack);
      for (const member of members) gone.add(member);
    }
  }
  dropUnread(trace, gone);
  const left = trace.tensors.filter((tensor) => !gone.has(tensor));
  trace.tensors.splice(0, trace.tensors.length, ...left);
}

/** Removes operators whose results are all removed. */
function dropUnread({ operators }: Trace, gone: ReadonlySet<TracedTensor>): void {
  const kept = operators.filter(
    ({ outputs }) => outputs.some((each) => !gone.has(each)) || outputs.length === 0,
  );
  if (kept.length < operators.length) operators.splice(0, operators.length, ...kept);
}

function readIn({ operators }: Trace): ReadonlySet<TracedTensor> {
  return new Set(
    operators.flatMap(({ inputs }) => inputs.filter((each) => each.kind === "tensor")),
  );
}

/** Inserts an operator before all others that stacks the parameters. */
function stackUp(
  stack: TracedTensor,
  members: readonly TracedTensor[],
  { operators, tensors }: Trace,
): void {
  const entry = library.get("stack");
  const [first] = members;
  if (entry === undefined || first === undefined) return;
  const attributes = { dim: 0 };
  const inputs = members.map(({ shape = [] }) => shape.map((size) => Number(size)));
  const text = entry.annotate({ inputs, attributes });
  const call = {
    ...{ op: "stack", stem: "stack", entry: "stack", annotations: [{ text }], inputs: members },
    ...{ integers: { dim: 0 }, attributes, linear: entry.linear, reducesInside: false },
    span: first.span,
  };
  const made: TracedOperator = tracedFrom(call, undefined, {
    ...{ outputs: [stack], frames: [], isFree: false },
  });
  stack.producer = made;
  stack.role = "activation";
  operators.unshift(made);
  tensors.push(stack);
}

/** Names a stack after its first two members, with `*` where their names differ. */
export function nameStacks({ stacks }: Trace): void {
  for (const [stack, members] of stacks) {
    const [first, second] = members.map(({ name }) => name?.text ?? "");
    if (first === undefined || first === "") continue;
    stack.name = { text: starred(first, second ?? first), frames: [] };
  }
}

function starred(first: string, second: string): string {
  const parts = first.split(/(\[\d+\]|\d+)/);
  const others = second.split(/(\[\d+\]|\d+)/);
  return parts
    .map((part, at) => (part === others[at] ? part : part.startsWith("[") ? "[*]" : "*"))
    .join("");
}
