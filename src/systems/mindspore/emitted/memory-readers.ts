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
 * The tensors that MindSpore holds in memory: those that are written into, and those that a view
 * looks at. Readers load them by a Load of their own; writes, views, slices by `[…]` (not by a
 * number alone) and `mint.stack` read the tensor itself.
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

/** Whether an operator reads operands in memory directly, without a Load. */
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
 * For an operator that reads a repeated copy of a tensor, while the first copy is in memory: the
 * tensor loaded from the first copy before.
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
