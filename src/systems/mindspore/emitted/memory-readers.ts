import type { TracedOperator, TracedTensor } from "#language/document/trace";
import { primitiveName } from "./primitive-name.ts";
import type { SameTensors } from "./transparent.ts";

/** Whether an operator writes in place into its first operand. */
export function isWrite(op: string): boolean {
  return op.startsWith("Inplace");
}

export function isView(op: string): boolean {
  return op.endsWith("View");
}

/**
 * The tensors that MindSpore holds in memory: those that are written in place, and those that a
 * view refers to. Other readers get them through a Load of their own. Writes, views, slices by
 * `[…]` (except by a single number) and `mint.stack` read the tensor itself.
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

/** The tensor in memory from which a tensor was loaded; the tensor itself if it was not loaded. */
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
 * For an operand that is a merged copy of a tensor in memory: the latest load of the first copy
 * before this reader. `undefined` otherwise.
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
