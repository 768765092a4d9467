import type { Operand, Operator } from "#core/ir";

/** Whether some identifier stands in at least two operands and in no result. */
export function contracts({ inputs, outputs }: Pick<Operator, "inputs" | "outputs">): boolean {
  const kept = new Set<string>();
  for (const { dims } of outputs)
    for (const dim of dims) for (const name of dim.identifiers) kept.add(name);
  const first = new Map<string, Operand>();
  for (const operand of inputs) {
    for (const { identifiers } of operand.dims) {
      for (const name of identifiers) {
        const holder = first.get(name);
        if (holder === undefined) first.set(name, operand);
        else if (holder !== operand && !kept.has(name)) return true;
      }
    }
  }
  return false;
}
