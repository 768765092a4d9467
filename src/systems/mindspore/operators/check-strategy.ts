import type { OperatorCall } from "./call.ts";

/**
 * Why a tuple strategy fails before the operator's own rule is applied, first failure first
 * (mindspore.md §2.2, items 1 to 5); `undefined` if it does not.
 *
 * @param shapes sizes that the values must divide: those of the inputs, except for rules with
 * `cutSizes`
 */
export function strategyFault(
  { op, devices }: OperatorCall,
  shapes: readonly (readonly number[])[],
  strategies: readonly (readonly number[])[],
): string | undefined {
  if (strategies.length !== shapes.length) {
    return `the strategy of ${op} has ${strategies.length} tuples for ${shapes.length} inputs`;
  }
  const odd = strategies.findIndex((entries, input) => entries.length !== shapes[input]?.length);
  if (odd >= 0) {
    const [have, want] = [strategies[odd]?.length, shapes[odd]?.length];
    return `tuple ${odd + 1} of the strategy of ${op} has ${have} entries for ${want} dims`;
  }
  const entries = strategies.flatMap((list, input) =>
    list.map((value, dim) => ({ value, size: shapes[input]?.[dim] ?? 1 })),
  );
  const low = entries.find(({ value }) => value < 1);
  if (low !== undefined) return `the strategy value ${low.value} must be at least 1`;
  const uneven = entries.find(({ value, size }) => size % value !== 0);
  if (uneven !== undefined) {
    return `a dim of ${uneven.size} elements cannot be divided into ${uneven.value} equal pieces`;
  }
  const strange = entries.find(({ value }) => !isPowerOfTwo(value));
  return strange === undefined || !isPowerOfTwo(devices)
    ? undefined
    : `the strategy value ${strange.value} is no power of two`;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
