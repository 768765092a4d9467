import type { Operand, Operator } from "#core/ir";

/**
 * Whether an operator contracts an axis, as a matmul does: two or more inputs have the axis, and no
 * result has it.
 */
export function contracts({ inputs, outputs }: Pick<Operator, "inputs" | "outputs">): boolean {
  const kept = new Set<string>();
  for (const { dims } of outputs)
    for (const dim of dims) for (const name of dim.identifiers) kept.add(name);
  const first = new Map<string, Operand>();
  for (const operand of inputs) {
    for (const { identifiers } of operand.dims) {
      for (const name of identifiers) {
        // A dim of size 1 is not an axis that two operands share.
        if (name === "1") continue;
        const holder = first.get(name);
        if (holder === undefined) first.set(name, operand);
        else if (holder !== operand && !kept.has(name)) return true;
      }
    }
  }
  return false;
}

/**
 * Number of products that one index point adds up if windows of several operands meet: the cells of
 * the second largest window. 0 if there are no such windows.
 */
export function windowProducts({ inputs }: Pick<Operator, "inputs">): number {
  const cells = ({ projection = [] }: Operand) =>
    projection.reduce((product, { extent }) => product * extent, 1);
  const [, second = 1] = inputs.map(cells).sort((a, b) => b - a);
  return second > 1 ? second : 0;
}
