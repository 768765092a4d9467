import type { TracedTensor } from "../trace/traced.ts";

const comparisons: ReadonlySet<string> = new Set([
  ...["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"],
  ...["logical_not", "logical_and", "logical_or", "logical_xor"],
]);

/** Operators whose results are boolean when all their operands are. */
const keeping: ReadonlySet<string> = new Set([
  ...["reshape", "unsqueeze", "squeeze", "expand", "tril", "triu", "transpose", "permute", "slice"],
  ...[
    "select",
    "minimum",
    "maximum",
    "identity",
    "cast",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
  ],
]);

/**
 * Whether the elements of a tensor are booleans, by its dtype or by the operator that produces it.
 */
export function isBoolean({ dtype, producer }: TracedTensor): boolean {
  if (dtype === "bool") return true;
  const { entry = "", inputs = [] } = producer ?? {};
  if (comparisons.has(entry)) return true;
  const [first, second] = inputs;
  const isDifference = entry === "sub" && first?.kind === "plain" && first.integer === 1;
  if (isDifference) return second?.kind === "tensor" && isBoolean(second);
  if (!keeping.has(entry)) return false;
  return inputs.every((input) => input.kind === "tensor" && isBoolean(input));
}
