import { shapeOf, type TracedTensor } from "#language/document/bindings";

/**
 * Where a tensor of lengths that are known at run time only meets others in an operator of every
 * element, its lengths are theirs: the assumed ones become what stands over them.
 */
export function meetLengths(operands: readonly TracedTensor[]): void {
  const rank = Math.max(0, ...operands.map(({ shape }) => shape?.length ?? 0));
  for (let column = 1; column <= rank; column++) {
    const sizes = operands.map(({ shape }) => shape?.at(-column));
    const longest = Math.max(1, ...sizes.filter((size) => typeof size === "number"));
    for (const [at, operand] of operands.entries()) {
      const size = sizes[at];
      const dim = (operand.shape?.length ?? 0) - column;
      if (typeof size !== "number" || size === longest || longest % size !== 0) continue;
      if (operand.dynamicDims?.includes(dim) !== true || size === 1) continue;
      operand.shape = shapeOf(operand).with(dim, longest);
    }
  }
}
