import type { TracedOperator, TracedTensor } from "#language/document/trace";
import { primitiveName } from "./primitive-name.ts";
import type { SameTensors } from "./transparent.ts";

/** Whether an operator writes into its first operand. */
export function isWrite(op: string): boolean {
  return op.startsWith("Inplace");
}

export function isView(op: string): boolean {
  return op.endsWith("View");
}

/**
 * The tensors that MindSpore holds in memory: what is written into, and what a view looks at. All others
 * read them by a Load of their own, but for what writes, views, slices by `[…]` (not by a number alone)
 * and `mint.stack`, which read the tensor itself.
 */
export function heldInMemory(operators: readonly TracedOperator[]): ReadonlySet<TracedTensor> {
  return new Set(
    operators.flatMap((traced) => {
      const op = primitiveName(traced);
      const [into] = traced.inputs;
      const isHeld = (isWrite(op) || isView(op)) && into?.kind === "tensor";
      return isHeld ? [unloaded(into)] : [];
    }),
  );
}

/** Whether an operator reads its operands themselves, and not what is loaded of them, where they are in memory. */
export function readsItself(op: string, traced: TracedOperator): boolean {
  if (isWrite(op) || isView(op) || op === "StackExt") return true;
  return op === "StridedSlice" && traced.isSubscript === true;
}

/** A tensor in memory, of what is loaded of it. */
export function unloaded(tensor: TracedTensor, same: SameTensors = new Map()): TracedTensor {
  let held = same.get(tensor) ?? tensor;
  for (let made = held.producer; made?.op === "Load"; made = held.producer) {
    const [input] = made.inputs;
    if (input?.kind !== "tensor") break;
    held = same.get(input) ?? input;
  }
  return held;
}

/**
 * What an operator reads of a tensor that is made a second time, where the first one is in memory: what
 * is loaded of that before.
 */
export function lastLoads(
  net: readonly { readonly traced: TracedOperator }[],
  same: SameTensors,
): (reader: TracedOperator, at: number) => TracedTensor | undefined {
  const places = new Map(net.map(({ traced }, at) => [traced, at]));
  const loads = net.filter(({ traced }) => traced.op === "Load");
  return (reader, at) => {
    const input = reader.inputs[at];
    const first = input?.kind === "tensor" ? same.get(input) : undefined;
    const place = places.get(reader) ?? 0;
    const before = loads.findLast(
      ({ traced }) => traced.inputs[0] === first && (places.get(traced) ?? 0) < place,
    );
    return first === undefined ? undefined : before?.traced.outputs[0];
  };
}
