import type { TracedOperator } from "#language/document/trace";

/**
 * Position of each operator in MindSpore's graph: after the producers of its operands, which are
 * visited in operand order, in a walk that starts at the results of the program.
 */
export function graphOrder(
  operators: readonly TracedOperator[],
): ReadonlyMap<TracedOperator, number> {
  const known = new Set(operators);
  const read = new Set(operators.flatMap(({ inputs }) => inputs));
  const order = new Map<TracedOperator, number>();
  const begun = new Set<TracedOperator>();
  const isResult = ({ outputs }: TracedOperator) => !outputs.some((output) => read.has(output));
  const stack = operators.filter(isResult).toReversed();
  for (let operator = stack.at(-1); operator !== undefined; operator = stack.at(-1)) {
    const isNew = !begun.has(operator);
    begun.add(operator);
    const makers = isNew ? makersOf(operator).filter((maker) => known.has(maker)) : [];
    const waiting = makers.filter((maker) => !begun.has(maker));
    if (waiting.length > 0) {
      stack.push(...waiting.toReversed());
      continue;
    }
    stack.pop();
    if (!order.has(operator)) order.set(operator, order.size);
  }
  return order;
}

function makersOf({ inputs }: TracedOperator): readonly TracedOperator[] {
  return inputs.flatMap((input) =>
    input.kind === "tensor" && input.producer !== undefined ? [input.producer] : [],
  );
}
