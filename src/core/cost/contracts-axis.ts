import type { Operand, Operator } from "#core/ir";

/** Whether an operator contracts an axis, as a matmul: one of two inputs or more, and of no result. */
export function contractsAxis({ inputs, outputs }: Pick<Operator, "inputs" | "outputs">): boolean {
  const kept = new Set<string>();
  for (const { dims } of outputs)
    for (const dim of dims) for (const name of dim.identifiers) kept.add(name);
  const first = new Map<string, Operand>();
  for (const operand of inputs) {
    for (const { identifiers } of operand.dims) {
      for (const name of identifiers) {
        // Dims of one element are no axis that two operands share.
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
 * Products that one index point adds up where windows of several operands meet: as many as the
 * second largest of them has cells. 0 where there are no such windows.
 */
export function windowProducts({ inputs }: Pick<Operator, "inputs">): number {
  const cells = ({ projection = [] }: Operand) =>
    projection.reduce((product, { extent }) => product * extent, 1);
  const [, second = 1] = inputs.map(cells).sort((a, b) => b - a);
  return second > 1 ? second : 0;
}
